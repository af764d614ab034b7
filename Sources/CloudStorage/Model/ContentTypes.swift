/// Content types by the extension of a file's name (rule D8).
///
/// Source: the IANA media type registry, and the types that browsers and Apple's platforms use.
enum ContentTypes {
    static let fallback = "application/octet-stream"

    static func type(ofFile path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return fallback }
        return byExtension[name[name.index(after: dot)...].lowercased()] ?? fallback
    }

    private static let byExtension: [String: String] = {
        var all: [String: String] = [:]
        for (type, extensions) in table {
            for name in extensions.split(separator: " ") { all[String(name)] = type }
        }
        return all
    }()

    private static let table: [(String, String)] = [
        ("text/plain", "txt text log conf ini"),
        ("text/html", "html htm"),
        ("text/css", "css"),
        ("text/csv", "csv"),
        ("text/tab-separated-values", "tsv"),
        ("text/markdown", "md markdown"),
        ("text/calendar", "ics"),
        ("text/vcard", "vcf"),
        ("text/vtt", "vtt"),
        ("text/xml", "xml"),
        ("text/javascript", "js mjs"),
        ("application/json", "json map"),
        ("application/geo+json", "geojson"),
        ("application/ld+json", "jsonld"),
        ("application/manifest+json", "webmanifest"),
        ("application/yaml", "yaml yml"),
        ("application/toml", "toml"),
        ("application/sql", "sql"),
        ("application/wasm", "wasm"),
        ("application/pdf", "pdf"),
        ("application/rtf", "rtf"),
        ("application/postscript", "ps eps ai"),
        ("application/epub+zip", "epub"),
        ("application/msword", "doc"),
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"
        ),
        ("application/vnd.ms-excel", "xls"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
        ("application/vnd.ms-powerpoint", "ppt"),
        (
            "application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"
        ),
        ("application/vnd.oasis.opendocument.text", "odt"),
        ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
        ("application/vnd.oasis.opendocument.presentation", "odp"),
        ("application/zip", "zip"),
        ("application/gzip", "gz tgz"),
        ("application/x-bzip2", "bz2"),
        ("application/x-xz", "xz"),
        ("application/zstd", "zst"),
        ("application/x-tar", "tar"),
        ("application/x-7z-compressed", "7z"),
        ("application/vnd.rar", "rar"),
        ("application/java-archive", "jar"),
        ("application/vnd.android.package-archive", "apk"),
        ("application/x-apple-diskimage", "dmg"),
        ("application/x-sh", "sh"),
        ("application/vnd.sqlite3", "sqlite sqlite3 db"),
        ("image/png", "png"),
        ("image/apng", "apng"),
        ("image/jpeg", "jpg jpeg jpe"),
        ("image/gif", "gif"),
        ("image/webp", "webp"),
        ("image/avif", "avif"),
        ("image/heic", "heic"),
        ("image/heif", "heif"),
        ("image/bmp", "bmp"),
        ("image/tiff", "tif tiff"),
        ("image/svg+xml", "svg svgz"),
        ("image/vnd.microsoft.icon", "ico"),
        ("image/vnd.adobe.photoshop", "psd"),
        ("image/x-adobe-dng", "dng"),
        ("audio/mpeg", "mp3"),
        ("audio/mp4", "m4a m4b"),
        ("audio/aac", "aac"),
        ("audio/wav", "wav"),
        ("audio/aiff", "aif aiff"),
        ("audio/flac", "flac"),
        ("audio/ogg", "ogg oga opus"),
        ("audio/midi", "mid midi"),
        ("audio/x-caf", "caf"),
        ("audio/amr", "amr"),
        ("video/mp4", "mp4 m4v"),
        ("video/quicktime", "mov qt"),
        ("video/mpeg", "mpg mpeg"),
        ("video/webm", "webm"),
        ("video/ogg", "ogv"),
        ("video/x-msvideo", "avi"),
        ("video/x-matroska", "mkv"),
        ("video/3gpp", "3gp"),
        ("video/mp2t", "ts"),
        ("font/ttf", "ttf"),
        ("font/otf", "otf"),
        ("font/woff", "woff"),
        ("font/woff2", "woff2"),
        ("model/gltf+json", "gltf"),
        ("model/gltf-binary", "glb"),
        ("model/vnd.usdz+zip", "usdz"),
        ("model/obj", "obj"),
        ("model/stl", "stl"),
    ]
}
