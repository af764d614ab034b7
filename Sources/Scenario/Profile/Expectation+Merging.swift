import EventMatching

extension Expectation {
    /// Puts the entries of a scenario's own block over these, two levels deep: `up.events`,
    /// `stored.PATH` and `requests` are replaced whole, and what `null` removes is gone.
    mutating func merge(_ block: ProfileBlock) {
        for path in block.removed { remove(path) }
        let new = block.replaced
        for task in new.tasks { merge(task) }
        for observer in new.observers {
            observers.removeAll { $0.name == observer.name }
            observers.append(observer)
        }
        for result in new.results { merge(result) }
        for object in new.stored {
            stored.removeAll { $0.object == object.object }
            stored.append(object)
        }
        if let requests = new.requests { self.requests = requests }
        if !new.exchanges.isEmpty { exchanges = new.exchanges }
        mergeCounts(new)
        if let complaints = new.complaints { self.complaints = complaints }
        if let invariants = new.invariants { self.invariants = invariants }
        if !new.outcomes.isEmpty { outcomes = new.outcomes }
    }

    private mutating func mergeCounts(_ new: Expectation) {
        if let sessions = new.sessions {
            var merged = self.sessions ?? sessions
            merged.place = sessions.place
            merged.open = sessions.open ?? merged.open
            merged.started = sessions.started ?? merged.started
            merged.fed = sessions.fed ?? merged.fed
            self.sessions = merged
        }
        if let tokens = new.tokensAsked { tokensAsked = tokens }
        if let resources = new.resources {
            var merged = self.resources ?? resources
            merged.place = resources.place
            merged.tasks = resources.tasks ?? merged.tasks
            merged.connections = resources.connections ?? merged.connections
            self.resources = merged
        }
    }

    private mutating func merge(_ new: TaskExpectation) {
        guard let index = tasks.firstIndex(where: { $0.name == new.name }) else {
            tasks.append(new)
            return
        }
        var task = tasks[index]
        task.place = new.place
        task.events = new.events ?? task.events
        task.error = new.error ?? task.error
        task.progress = new.progress ?? task.progress
        task.metadata = new.metadata ?? task.metadata
        if !new.times.isEmpty { task.times = new.times }
        task.local = new.local ?? task.local
        task.completion = new.completion ?? task.completion
        task.ends = new.ends ?? task.ends
        tasks[index] = task
    }

    private mutating func merge(_ new: ResultExpectation) {
        guard let index = results.firstIndex(where: { $0.name == new.name }) else {
            results.append(new)
            return
        }
        var result = results[index]
        result.place = new.place
        result.error = new.error ?? result.error
        if !new.times.isEmpty { result.times = new.times }
        result.completion = new.completion ?? result.completion
        result.ends = new.ends ?? result.ends
        for value in new.values {
            result.values.removeAll { $0.key == value.key }
            result.values.append(value)
        }
        results[index] = result
    }

    // MARK: What is removed

    private mutating func remove(_ path: [String]) {
        guard let name = path.first else { return }
        guard path.count > 1 else { return remove(name) }
        let key = path[1]
        switch name {
        case "stored": stored.removeAll { "\($0.object)" == key }
        case "sessions":
            if key == "open" { sessions?.open = nil }
            if key == "started" { sessions?.started = nil }
            if key == "fed" { sessions?.fed = nil }
        case "resources":
            if key == "tasks" { resources?.tasks = nil }
            if key == "connections" { resources?.connections = nil }
        case "tokens": tokensAsked = nil
        default: removeMember(key, of: name)
        }
    }

    private mutating func remove(_ name: String) {
        switch name {
        case "stored": stored = []
        case "requests": requests = nil
        case "exchanges": exchanges = []
        case "sessions": sessions = nil
        case "tokens": tokensAsked = nil
        case "resources": resources = nil
        case "complaints": complaints = nil
        case "invariants": invariants = nil
        case "outcomes": outcomes = []
        default:
            tasks.removeAll { $0.name == name }
            observers.removeAll { $0.name == name }
            results.removeAll { $0.name == name }
        }
    }

    private mutating func removeMember(_ key: String, of name: String) {
        if key == "events" { observers.removeAll { $0.name == name } }
        for index in results.indices where results[index].name == name {
            results[index].remove(key)
        }
        for index in tasks.indices where tasks[index].name == name { tasks[index].remove(key) }
    }
}

extension TaskExpectation {
    fileprivate mutating func remove(_ key: String) {
        switch key {
        case "events": events = nil
        case "error": error = nil
        case "progress": progress = nil
        case "metadata": metadata = nil
        case "time": times = []
        case "local": local = nil
        case "completion": completion = nil
        case "ends": ends = nil
        default: break
        }
    }
}

extension ResultExpectation {
    fileprivate mutating func remove(_ key: String) {
        switch key {
        case "error": error = nil
        case "time": times = []
        case "completion": completion = nil
        case "ends": ends = nil
        default: values.removeAll { $0.key == key }
        }
    }
}
