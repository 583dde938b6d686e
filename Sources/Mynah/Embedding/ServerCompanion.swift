/// What another module has added to a ``MynahServer``, and what ends with it.
package protocol ServerCompanion: AnyObject, Sendable {
    /// The server is about to stop, and takes pushes still.
    func serverWillStop()
    /// The server has stopped; returns when nothing is left of this.
    func end() async
}
