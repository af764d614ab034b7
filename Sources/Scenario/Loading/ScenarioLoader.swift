package import FaultEngine
import StorageModel

/// Finds scenario files, reads them and plans a run.
package struct ScenarioLoader: Sendable {
    /// What a run will carry out, and all that was said about the files.
    package struct Plan: Sendable {
        /// In the order of the paths; within a directory sorted; within a file in matrix order.
        package var planned: [PlannedScenario]
        package var diagnostics: [Diagnostic]

        /// True when nothing is wrong, apart from what is not supported yet.
        package var isValid: Bool {
            !diagnostics.contains { $0.severity == .error && $0.kind == .invalid }
        }
    }

    package init() {}

    /// Plans a run of files, directories (all `.yaml`, `.yml` and `.json` files below them),
    /// rows (`FILE[how=reset]`) and generated rows (`generated`, `generated/upload.chunk`).
    ///
    /// Ids are paths below the directory given; for several paths in one suite (a directory with a
    /// `VERSION` file) below that. Two scenarios with one id are an error.
    ///
    /// A file with an error gives no scenario; the others are planned all the same.
    package func plan(_ paths: [String]) -> Plan { plan(paths, takesUndecided: false) }

    private func plan(_ paths: [String], takesUndecided: Bool) -> Plan {
        var plan = Plan(planned: [], diagnostics: [])
        var places: [String: SourcePlace] = [:]
        for finding in ScenarioPath.find(paths, takesUndecided: takesUndecided) {
            switch finding {
            case .failure(let diagnostic): plan.diagnostics.append(diagnostic)
            case .success(let found):
                for file in found { add(file, to: &plan, &places) }
            }
        }
        return plan
    }

    /// What a file says, or a generated row as the file that it would be; nil where it cannot be read.
    package static func text(ofFile file: String) -> String? {
        guard case .success(let bytes) = ScenarioPath(file: file, id: "", row: nil).bytes() else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Plans the one scenario that a server is to serve: a file, or a row of its matrix.
    ///
    /// Triggers on a client's events or on steps are errors here, and faults of TLS without it.
    package func planForServing(_ path: String, throughTLS: Bool = false) -> Plan {
        var plan = plan([path], takesUndecided: true)
        if plan.isValid, plan.planned.count > 1 {
            let suffix = plan.planned[0].id.drop { $0 != "[" }
            plan.diagnostics.append(
                Diagnostic(
                    place: SourcePlace(file: path, line: 1, column: 1),
                    message: "one scenario is served at a time, this is \(plan.planned.count)",
                    suggestion: suffix.isEmpty ? nil : path + suffix))
        }
        for planned in plan.planned.prefix(1) {
            plan.diagnostics += planned.scenario.validateForServing(throughTLS: throughTLS).map {
                diagnostic in
                var diagnostic = diagnostic
                diagnostic.sourceLine = ScenarioPath.line(of: diagnostic.place)
                return diagnostic
            }
        }
        return plan
    }

    /// Reads the text of one file; `id` is its id without the matrix row.
    package func read(_ bytes: [UInt8], file: String, id: String) -> Plan {
        let reading = YAMLDocument.read(bytes, file: file)
        guard let document = reading.document else {
            return Plan(planned: [], diagnostics: reading.diagnostics)
        }
        let log = DiagnosticLog(document.source)
        for diagnostic in reading.diagnostics { log.add(diagnostic) }
        let folder = ScenarioPath.folder(of: file)
        let matrix = Matrix(document.root, ScenarioDecoder(log: log, folder: folder))
        let planned = matrix.rows.compactMap { row in
            scenario(document.root, row, file: file, id: id, log)
        }
        return Plan(planned: log.hasErrors ? [] : planned, diagnostics: log.diagnostics.sorted())
    }

    /// Reads a fault in its short form, as the option `--fault` takes it.
    ///
    /// - Parameter position: its position in the list, from 1.
    package func fault(
        _ text: String, position: Int
    ) -> (rule: FaultRule?, diagnostics: [Diagnostic]) {
        let place = SourcePlace(file: "--fault", line: 1, column: 1)
        do {
            let source = try SourceText(bytes: Array(text.utf8), file: place.file)
            let decoder = ScenarioDecoder(log: DiagnosticLog(source), folder: "")
            var rule = decoder.fault(YAMLNode(text: text, place), position: position)
            rule?.place = nil
            let log = decoder.log
            return (log.hasErrors ? nil : rule, log.diagnostics.sorted())
        } catch {
            return (nil, [error])
        }
    }

    private func scenario(
        _ root: YAMLNode, _ row: Matrix.Row, file: String, id: String, _ log: DiagnosticLog
    ) -> PlannedScenario? {
        let rowLog = log.child()
        let decoder = ScenarioDecoder(log: rowLog, folder: ScenarioPath.folder(of: file))
        let node = Substitution(row: row.values, log: rowLog).apply(root.withoutMatrix)
        let scenario = decoder.scenario(node)
        if let scenario { ScenarioValidator(scenario, decoder).validate() }
        for diagnostic in rowLog.diagnostics { log.add(diagnostic) }
        guard var scenario else { return nil }
        scenario.isSmoke = row.isSmoke ?? scenario.isSmoke
        return PlannedScenario(
            id: id + row.suffix, file: file, scenario: scenario,
            notYetSupported: rowLog.diagnostics.filter { $0.kind == .notYetSupported })
    }

    private func add(
        _ found: ScenarioPath, to plan: inout Plan, _ places: inout [String: SourcePlace]
    ) {
        let start = SourcePlace(file: found.file, line: 1, column: 1)
        var read: Plan
        switch found.bytes() {
        case .failure(let diagnostic): return plan.diagnostics.append(diagnostic)
        case .success(let bytes): read = self.read(bytes, file: found.file, id: found.id)
        }
        if let row = found.row, read.isValid { keep(row, of: found, &read) }
        plan.diagnostics += read.diagnostics
        for planned in read.planned {
            if let other = places[planned.id] {
                plan.diagnostics.append(
                    Diagnostic(
                        place: start,
                        message: "the id '\(planned.id)' is that of \(other.file) too"))
                continue
            }
            places[planned.id] = start
            plan.planned.append(planned)
        }
    }

    /// Leaves one row of a matrix, with what concerns it.
    private func keep(_ row: String, of found: ScenarioPath, _ read: inout Plan) {
        let rows = read.planned.map { String($0.id.dropFirst(found.id.count)) }
        read.planned.removeAll { $0.id != found.id + row }
        guard let planned = read.planned.first else {
            let start = SourcePlace(file: found.file, line: 1, column: 1)
            read.diagnostics.append(
                Diagnostic(
                    place: start, message: "the matrix has no row '\(row)'",
                    suggestion: Spelling.nearest(to: row, among: rows)))
            return
        }
        read.diagnostics.removeAll {
            $0.kind == .notYetSupported && !planned.notYetSupported.contains($0)
        }
    }
}

extension YAMLNode {
    /// The scenario that a row is put into.
    fileprivate var withoutMatrix: YAMLNode {
        guard let pairs = mapping else { return self }
        let kept = pairs.filter { pair in
            let key = pair.key.scalar
            return !["matrix", "matrix-exclude"].contains(key)
                && (key != "smoke" || pair.value.mapping == nil || self["matrix"] == nil)
        }
        return YAMLNode(.mapping(kept), place)
    }
}
