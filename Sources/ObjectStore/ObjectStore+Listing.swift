extension ObjectStore {
    /// One page of a bucket's names: items and prefixes count together, in lexical order.
    package func list(_ bucketName: String, _ query: ListQuery) throws(StoreError) -> ListPage {
        let bucket = try self.bucket(bucketName)
        let names = bucket.liveNames
        var index = try start(of: query, in: names)
        var page = ListPage()
        var last: PageToken.Place?
        while index < names.count, names[index].hasPrefix(query.prefix) {
            let name = names[index]
            let folded = query.folding(name)
            index = folded.map { names.firstIndex(behind: $0, from: index) } ?? index + 1
            let shown = folded ?? name.text
            guard query.shows(shown, isPrefix: folded != nil) else { continue }
            if page.items.count + page.prefixes.count == query.pageSize {
                page.nextPageToken = last.map { PageToken($0).text(for: query) }
                return page
            }
            if let folded {
                page.prefixes.append(folded)
                last = .prefix(folded)
            } else if let version = bucket.live(name.text) {
                page.items.append(version.attributes)
                last = .item(name.text)
            }
        }
        return page
    }

    private func start(of query: ListQuery, in names: [NameKey]) throws(StoreError) -> Int {
        guard query.pageSize > 0 else { throw .invalidPageSize(String(query.pageSize)) }
        guard let text = query.pageToken else {
            return names.firstIndex(notBefore: NameKey(query.prefix))
        }
        guard let token = PageToken(text, for: query) else { throw .invalidPageToken(text) }
        switch token.place {
        case .item(let name):
            let key = NameKey(name)
            let index = names.firstIndex(notBefore: key)
            return index < names.count && names[index] == key ? index + 1 : index
        case .prefix(let prefix):
            let first = names.firstIndex(notBefore: NameKey(prefix))
            return names.firstIndex(behind: prefix, from: first)
        }
    }
}

extension ListQuery {
    /// The prefix that stands for a name, up to and including the first delimiter behind the
    /// listing's own prefix; nil where the name is listed itself.
    fileprivate func folding(_ name: NameKey) -> String? {
        guard let delimiter, !delimiter.isEmpty else { return nil }
        let bytes = Array(name.text.utf8)
        let wanted = Array(delimiter.utf8)
        var index = prefix.utf8.count
        while index + wanted.count <= bytes.count {
            if bytes[index..<index + wanted.count].elementsEqual(wanted) {
                return String(decoding: bytes[..<(index + wanted.count)], as: UTF8.self)
            }
            index += 1
        }
        return nil
    }

    /// False for names that Firebase leaves out: those with an empty segment, and placeholders of
    /// folders.
    fileprivate func shows(_ name: String, isPrefix: Bool) -> Bool {
        if listsUnusualNames { return true }
        let bytes = Array((isPrefix ? name.dropLast() : Substring(name)).utf8)
        let slash = UInt8(ascii: "/")
        if bytes.isEmpty || bytes.first == slash || bytes.last == slash { return false }
        return !zip(bytes, bytes.dropFirst()).contains { $0 == slash && $1 == slash }
    }
}

extension [NameKey] {
    /// The first place whose name is not before `key`.
    fileprivate func firstIndex(notBefore key: NameKey) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first place from `start` on whose name does not begin with the prefix; all names that
    /// do stand together.
    fileprivate func firstIndex(behind prefix: String, from start: Int) -> Int {
        var (low, high) = (start, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].hasPrefix(prefix) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
