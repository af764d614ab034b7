import FaultEngine
import Scenario
import StorageModel
import Testing

@testable import ScenarioRunner

@Suite("Step machine")
struct StepMachineTests {
    private static let place = SourcePlace(file: "a.yaml", line: 1, column: 1)

    private static func step(
        _ verb: StepVerb = .pause(TaskUse(task: "up")), as name: String? = nil,
        when: Trigger? = nil, after: Duration? = nil
    ) -> Step {
        var step = Step(place: place, verb: verb)
        step.name = name
        step.when = when
        step.after = after
        return step
    }

    private static func event(_ kind: TransferEvent.Kind, of task: String = "up") -> Trigger {
        .task(TaskTrigger(task: task, moment: .event(kind)))
    }

    /// Advances and tells what is due then.
    private func due(_ machine: inout StepMachine, _ happened: Set<Trigger> = []) -> Int? {
        _ = machine.advance { happened.contains($0) }
        return machine.due
    }

    @Test("Steps without a moment come one after the other, each when the one above is done")
    func inOrder() {
        var machine = StepMachine(StepList([Self.step(), Self.step(), Self.step()]))
        for index in 0..<3 {
            #expect(due(&machine) == index)
            machine.begin(index)
            #expect(due(&machine) == nil)
            machine.finish(index)
        }
        #expect(machine.isDone)
    }

    @Test("A step with a moment comes then, and holds up no other step with a moment")
    func ownMoment() {
        let (pause, resume) = (Self.event(.pause), Self.event(.resume))
        var machine = StepMachine(
            StepList([Self.step(when: pause), Self.step(when: resume)]))
        #expect(due(&machine) == nil)
        #expect(due(&machine, [resume]) == 1)
        machine.begin(1)
        machine.finish(1)
        #expect(due(&machine, [resume, pause]) == 0)
    }

    @Test("A step without a moment waits for the one above, also where that has a moment")
    func belowAMoment() {
        let pause = Self.event(.pause)
        var machine = StepMachine(StepList([Self.step(when: pause), Self.step()]))
        #expect(due(&machine) == nil)
        #expect(due(&machine, [pause]) == 0)
        machine.begin(0)
        machine.finish(0)
        #expect(due(&machine, [pause]) == 1)
    }

    @Test("Of two steps that are due the upper one comes first")
    func upperFirst() {
        let (pause, resume) = (Self.event(.pause), Self.event(.resume))
        var machine = StepMachine(StepList([Self.step(when: pause), Self.step(when: resume)]))
        #expect(due(&machine, [pause, resume]) == 0)
    }

    @Test("The time added to a moment runs from the moment on")
    func delay() {
        let pause = Self.event(.pause)
        var machine = StepMachine(
            StepList([Self.step(when: pause, after: .seconds(5)), Self.step(after: .seconds(1))]))
        #expect(machine.advance { _ in false } == [.activated(0), .activated(1)])
        #expect(machine.advance { $0 == pause } == [.delay(0, .seconds(5))])
        #expect(machine.due == nil)
        #expect(machine.delayPassed(0) == [])
        #expect(machine.due == 0)
        machine.begin(0)
        machine.finish(0)
        #expect(machine.advance { _ in false } == [.delay(1, .seconds(1))])
    }

    @Test("A wait holds up what stands below it, and nobody carries it out")
    func wait() {
        let steps = [
            Self.step(), Self.step(.wait(.duration(.seconds(3)))),
            Self.step(.wait(.trigger(Self.event(.pause)))), Self.step(),
        ]
        var machine = StepMachine(StepList(steps))
        #expect(due(&machine) == 0)
        machine.begin(0)
        machine.finish(0)
        #expect(machine.advance { _ in true } == [.delay(1, .seconds(3))])
        #expect(machine.delayPassed(1) == [.passed(1)])
        #expect(due(&machine) == nil)
        #expect(due(&machine, [Self.event(.pause)]) == 3)
    }

    @Test("What is inside a repeat is done round by round, with names of its own")
    func rounds() throws {
        let inner = [
            Self.step(.release(task: "x"), as: "up"),
            Self.step(.cancel(TaskUse(task: "up")), when: Self.event(.progress)),
            Self.step(.cancel(TaskUse(task: "other"))),
        ]
        let loop = StepVerb.repeat(
            RepeatStep(count: 2, gaps: [.milliseconds(10)], rounds: [inner]))
        let list = StepList([Self.step(loop, as: "all"), Self.step()])
        #expect(list.rounds == ["up": ["up#1", "up#2"]])
        var machine = StepMachine(list)
        var log: [String] = []
        for _ in 0..<50 where !machine.isDone {
            for action in machine.advance({ _ in true }) {
                if case .delay(let index, let delay) = action {
                    log.append("gap \(delay)")
                    _ = machine.delayPassed(index)
                }
                if case .passed(let index) = action, let name = list.entries[index].name {
                    log.append("passed \(name)")
                }
            }
            guard let index = machine.due, case .step(let verb) = list.entries[index].work else {
                continue
            }
            machine.begin(index)
            machine.finish(index)
            if case .cancel(let use) = verb {
                log.append("cancel \(use.task)")
            } else {
                log.append(verb.name)
            }
        }
        #expect(
            log == [
                "release", "cancel up#1", "cancel other", "gap 0.01 seconds", "release",
                "cancel up#2", "cancel other", "passed all", "pause",
            ])
    }

    @Test("The moments of a later round do not count before the round begins")
    func laterRound() {
        let when = Trigger.time(.seconds(1))
        let loop = StepVerb.repeat(
            RepeatStep(count: 2, gaps: [], rounds: [[Self.step(), Self.step(when: when)]]))
        var machine = StepMachine(StepList([Self.step(loop)]))
        #expect(due(&machine, [when]) == 1)
        #expect(machine.states[4] == .inactive)
        for index in [1, 2] {
            machine.begin(index)
            machine.finish(index)
        }
        #expect(due(&machine, [when]) == 4)
    }

    @Test("A lost step is no longer waited for")
    func lost() {
        var machine = StepMachine(StepList([Self.step()]))
        _ = due(&machine)
        machine.lose(0)
        #expect(machine.isDone)
        #expect(machine.missed == [])
    }

    @Test("Steps that were not begun are known as missed")
    func missed() {
        var machine = StepMachine(
            StepList([Self.step(when: Self.event(.pause)), Self.step(), Self.step()]))
        _ = due(&machine)
        #expect(machine.missed == [0, 1, 2])
    }
}
