import FaultEngine
import Scenario
import StorageModel
import Testing

@Suite("Wrong faults")
struct FaultRefusalTests {
    @Test(
        "Each mistake is told at its place",
        arguments: [
            ("{match: download, do: {droop: chunk}}", "5:28: unknown action 'droop' | drop"),
            ("{match: downlod, do: {drop: chunk}}", "5:13: unknown operation 'downlod' | download"),
            ("{match: download, do: {drop: chnk}}", "5:34: unknown way to drop 'chnk' | chunk"),
            (
                "{match: download#0, do: {respond: 503}}",
                "5:21: '#0' is no ordinal: #2, #1..4, #2.., #every 3 or #last"
            ),
            (
                "{match: download#4..2, do: {respond: 503}}",
                "5:21: '#4..2' is no ordinal: #2, #1..4, #2.., #every 3 or #last"
            ),
            (
                "{match: upload.start#last, do: {respond: 503}}",
                "5:25: '#last' is known of upload.body, upload.finalize and download alone"
            ),
            (
                "{match: download, do: {disconnect: reset}}",
                "5:27: the action 'disconnect' needs 'at': request-body 100KiB, response-head and the like"
            ),
            ("{match: download}", "5:5: a fault needs 'do' or 'commit'"),
            ("{do: {respond: 404}}", "5:5: a fault needs 'match'"),
            (
                "{match: download, at: response-body 10kb, do: silence}",
                "5:41: '10kb' is no place in a body: 100KiB, 50%, end, end-1 or object 1MiB"
            ),
            (
                "{match: download, at: response-bdy 10, do: silence}",
                "5:27: unknown phase 'response-bdy' | response-body"
            ),
            (
                "{match: download, at: \"response-bdy 10\", do: silence}",
                "5:28: unknown phase 'response-bdy' | response-body"
            ),
            (
                "{match: download, at: response-body, do: silence}",
                "5:40: the phase 'response-body' needs a place: 100KiB, 50%, end, end-1, object 1MiB"
            ),
            (
                "{match: download, at: request-head 5, do: silence}",
                "5:40: the phase 'request-head' takes no value"
            ),
            (
                "{match: connect, at: request-head, do: silence}",
                "5:26: 'connect' has the phase 'connect' alone"
            ),
            (
                "{match: download, at: connect, do: silence}",
                "5:27: only 'match: connect' has the phase 'connect'"
            ),
            (
                "{match: download, at: request-body 5, do: silence}",
                "5:27: 'download' has no request body"
            ),
            (
                "{match: download, commit: 5, do: {respond: 503}}",
                "5:31: 'download' carries no object bytes, so there is nothing to commit"
            ),
            (
                "{match: upload.body, at: request-head, do: {drop: chunk}}",
                "5:30: 'drop' has its own moments and takes no 'at'"
            ),
            (
                "{match: download, do: {respond: gateway-page}}",
                "5:37: a preset is written {preset: gateway-page} | {preset: gateway-page}"
            ),
            (
                "{match: download, do: {respond: 700}}",
                "5:37: 700 is out of range: at least 200 and at most 599"
            ),
            (
                "{match: download, do: {delay: 5}}",
                "5:35: '5' has no unit: a duration is written as 300ms, 1.5s, 10m, 1h or 8d"
            ),
            (
                "{match: download, do: {throttle: 5KiB}}",
                "5:38: '5KiB' is no rate, which is written as 512KiB/s | 5KiB/s"
            ),
            (
                "{match: download, do: {corrupt: {flip: 1MB}}}",
                "5:44: '1MB' is no size: whole numbers, as 1000, 256KiB, 1MiB, 3GiB or 5TiB | 1MiB"
            ),
            (
                "{match: download, do: {respond: 404, delay: 5s}}",
                "5:42: one action a mapping: several stand in a list, as [{delay: 1s}, {respond: 503}]"
            ),
            (
                "{match: download, do: respond}",
                "5:27: the action 'respond' needs a value: {respond: ...}"
            ),
            ("{match: download, do: []}", "5:27: a list of actions must not be empty"),
            (
                "{match: download, where: {token: eve}, do: {respond: 404}}",
                "5:38: unknown token 'eve': bob"
            ),
            (
                "{match: download, where: {pth: a}, do: {respond: 404}}",
                "5:31: unknown key 'pth' | path"
            ),
            (
                "{match: download, where: {from: 2s, until: 1s}, do: {respond: 404}}",
                "5:30: no time is from 2s until 1s"
            ),
            (
                "{match: download, do: {link: {state: up}}}",
                "5:28: 'link' is an action for steps alone"
            ),
            (
                "{match: download, chance: 30, do: {respond: 404}}",
                "5:31: '30' is no percentage from 0% to 100% | 30%"
            ),
            (
                "{match: download, times: 0, do: {respond: 404}}",
                "5:30: 0 is out of range: at least 1"
            ),
            (
                "{match: download, per: transfers, do: {respond: 404}}",
                "5:28: unknown scope 'transfers' | transfer"
            ),
            (
                "{match: download, do: {headers: {set: {\"a b\": x}}}}",
                "5:44: 'a b' is no name of a header"
            ),
            ("{match: download, do: {raw: {base64: x}}}", "5:42: the text is not base64"),
            (
                "{match: download, do: {tls: expired}}",
                "5:13: 'tls' is a fault of connections: match connect"
            ),
            (
                "{match: connect, do: {tls: expird}}",
                "5:32: unknown TLS fault 'expird' | expired"
            ),
            (
                "{match: connect, do: {tls: {slow-handshake: 0s}}}",
                "5:49: the duration must be more than zero"
            ),
        ])
    func refusals(fault: String, message: String) {
        let reading = Reading(body: "backend: {tokens: {bob: {}}}\nfaults:\n  - " + fault)
        let messages = reading.messages.filter { !$0.contains("not yet supported") }
        #expect(messages == [message])
        #expect(!reading.plan.isValid)
    }

    @Test(
        "What comes later is refused as not yet supported, and the file is right",
        arguments: [
            ("{match: copy, do: {respond: 404}}", "5:13: not yet supported: the operation 'copy'"),
            (
                "{match: bucket.*, do: {respond: 404}}",
                "5:13: not yet supported: the operation 'bucket.*'"
            ),
            (
                "{match: download, at: idle 5s, do: {respond: 503}}",
                "5:41: not yet supported: 'respond' at idle 5s"
            ),
        ])
    func notYetSupported(fault: String, message: String) {
        let reading = Reading(body: "\nfaults:\n  - " + fault)
        #expect(reading.messages == [message])
        #expect(reading.plan.isValid)
        #expect(reading.plan.planned.first?.notYetSupported.isEmpty == false)
    }

    @Test(
        "The short form means what the long form means",
        arguments: [
            ("download#2: respond 404", "{match: download#2, do: {respond: 404}}"),
            ("upload.*: delay 800ms", "{match: \"upload.*\", do: {delay: 800ms}}"),
            (
                "upload.body @ request-body 60%: disconnect reset",
                "{match: upload.body, at: request-body 60%, do: {disconnect: reset}}"
            ),
            (
                "download#every 3 path=a b/* @ response-body 5: corrupt {flip: 1}, disconnect close",
                "{match: \"download#every 3\", where: {path: a b/*}, at: response-body 5, "
                    + "do: [{corrupt: {flip: 1}}, {disconnect: close}]}"
            ),
            (
                "upload.body @ request-head: silence",
                "{match: upload.body, at: request-head, do: silence}"
            ),
            (
                "download: json {set: {a: \"x, y\"}}, hash wrong",
                "{match: download, do: [{json: {set: {a: \"x, y\"}}}, {hash: wrong}]}"
            ),
        ])
    func shortForm(short: String, long: String) {
        let rules = Reading(body: "faults:\n  - '\(short)'\n  - \(long)").scenario?.faults
        guard let rules, rules.count == 2 else {
            Issue.record("not read")
            return
        }
        #expect(rules[0].selector == rules[1].selector)
        #expect(rules[0].phase == rules[1].phase)
        #expect(rules[0].actions == rules[1].actions)
        #expect(rules[0].times == rules[1].times)
        #expect(rules[0].text == rules[1].text)
    }

    @Test(
        "A mistake in the short form is told at its word",
        arguments: [
            (
                "download#2 respond 404",
                "4:5: a fault in one line is MATCH [path=GLOB] [@ AT]: ACTION [VALUE], ..."
            ),
            ("downlod: respond 404", "4:6: unknown operation 'downlod' | download"),
            ("download: respond 404, dilay 5s", "4:29: unknown action 'dilay' | delay"),
            (
                "download @ response-bdy 5: silence",
                "4:17: unknown phase 'response-bdy' | response-body"
            ),
            (
                "download: delay 5",
                "4:22: '5' has no unit: a duration is written as 300ms, 1.5s, 10m, 1h or 8d"
            ),
        ])
    func shortFormRefusals(text: String, message: String) {
        #expect(Reading(body: "faults:\n  - '\(text)'").messages == [message])
    }

    @Test("A fault of the command line is read without a place")
    func commandLine() {
        let (rule, diagnostics) = ScenarioLoader().fault("download#2: respond 404", position: 3)
        #expect(diagnostics.isEmpty)
        #expect(rule?.position == 3)
        #expect(rule?.place == nil)
        #expect(rule?.title == "download#2: respond 404")
    }

    @Test("A wrong fault of the command line is shown with a caret")
    func wrongCommandLine() {
        let (rule, diagnostics) = ScenarioLoader().fault("download#2: respnd 404", position: 1)
        #expect(rule == nil)
        #expect(
            diagnostics.map(\.text) == [
                """
                --fault:1:13: error: unknown action 'respnd'
                  download#2: respnd 404
                              ^
                  did you mean 'respond'?
                """
            ])
    }
}
