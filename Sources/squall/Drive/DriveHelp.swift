/// What `help` shows in `squall drive`.
enum DriveHelp {
    static let text = """
          upload up images/a.jpg 1MiB       so many bytes, or the name of a local file
          download down images/a.jpg        to a file; 'max 1MiB' behind it: into memory
          pause up | resume up | cancel up  the same for snapshot, release and purge
          on up progress 2 >= 512KiB pause up
                                            inside the callback; number and bytes may be left out
          observe up late success failure   a further observer; unobserve late
          get-metadata a.bin                also delete, url, image, reference
          update-metadata a.bin contentType=text/plain metadata.mood=
          list images max 10 | list-all images | fetch URL
          token use alice | token sign-out
          burst pause up; resume up         parallel in the same way
          {"do":"pause","task":"up"}        any command of Conformance/PROTOCOL.md
          wait up success | wait 300ms      until the event was reported; a time
          sync | restart | end | configure  'configure' begins the next run
          quit
        """
}
