/// Something that lives on a loop and wants a turn whenever the loop comes round.
package protocol LoopComponent: AnyObject {
    /// Does what can be done now; returns nanoseconds until it needs another turn (0: at once), or
    /// nil when only an event, work or a timer can change anything.
    func runOnce() -> Int64?
}
