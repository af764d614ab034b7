extension ObjectStore {
    /// One page of names: items and prefixes count together, in lexical order.
    package func list(_ bucket: String, _ query: ListQuery) throws(StoreError) -> ListPage {
        _ = try self.bucket(bucket)
        return ListPage()
    }
}
