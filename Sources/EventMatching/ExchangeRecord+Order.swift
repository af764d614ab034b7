internal import StorageModel

extension ExchangeRecord {
    /// True when its head arrived after the event was recorded; nil where heads were not counted.
    func cameAfter(_ event: TransferEvent) -> Bool? {
        event.headsBefore.map { (arrival ?? ordinal) > $0 }
    }
}
