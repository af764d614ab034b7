import Foundation
import Testing

@testable import CloudStorage

/// The numbers are those of the behaviours that the product's own public tests assert.
@Suite("Storage metadata")
struct StorageMetadataTests {
    private static var whole: [String: Any] {
        [
            "bucket": "b", "name": "path/to/o", "generation": "12345", "metageneration": "67",
            "size": 8, "md5Hash": "abc", "contentType": "image/png", "cacheControl": "max-age=1",
            "contentDisposition": "inline", "contentEncoding": "gzip", "contentLanguage": "de",
            "timeCreated": "2026-01-31T12:34:56.789Z", "updated": "2026-01-31T12:34:56.789Z",
            "metadata": ["key": "value"],
        ]
    }

    @Test("Is empty without a dictionary's fields (100)")
    func empty() {
        let metadata = StorageMetadata(dictionary: [:])
        #expect(metadata == StorageMetadata())
        #expect(metadata.name == nil)
        #expect(metadata.size == 0)
        #expect(metadata.customMetadata == nil)
        #expect(!metadata.isFile)
        #expect(!metadata.isFolder)
    }

    @Test("Takes every field over, and gives it back (101, 102, 107)")
    func fields() {
        let metadata = StorageMetadata(dictionary: Self.whole)
        #expect(metadata.bucket == "b")
        #expect(metadata.path == "path/to/o")
        #expect(metadata.name == "o")
        #expect(metadata.generation == 12345)
        #expect(metadata.metageneration == 67)
        #expect(metadata.size == 8)
        #expect(metadata.md5Hash == "abc")
        #expect(metadata.contentType == "image/png")
        #expect(metadata.cacheControl == "max-age=1")
        #expect(metadata.contentDisposition == "inline")
        #expect(metadata.contentEncoding == "gzip")
        #expect(metadata.contentLanguage == "de")
        #expect(metadata.customMetadata == ["key": "value"])
        #expect(metadata.timeCreated == Date(timeIntervalSince1970: 1_769_862_896.789))
        #expect(metadata.isFile)
        let back = metadata.dictionaryRepresentation()
        #expect(back["name"] as? String == "path/to/o")
        #expect(StorageMetadata(dictionary: back) == metadata)
    }

    @Test(
        "Takes numbers as integers of any width and as texts of digits",
        arguments: [
            9 as any Sendable, 9 as Int64, 9 as Int32, 9 as UInt64, "9", NSNumber(value: 9),
        ])
    func numbers(nine: any Sendable) {
        let metadata = StorageMetadata(
            dictionary: ["generation": nine, "metageneration": nine, "size": nine])
        #expect(metadata.generation == 9)
        #expect(metadata.metageneration == 9)
        #expect(metadata.size == 9)
    }

    @Test(
        "Counts what is no number as absent",
        arguments: ["", "nine", "9.5", UInt64.max as any Sendable, ["9"]] as [any Sendable])
    func noNumbers(value: any Sendable) {
        #expect(StorageMetadata(dictionary: ["size": value]).size == 0)
    }

    @Test("Is equal by its content, with equal hashes (108)")
    func equality() {
        let (one, other) = (
            StorageMetadata(dictionary: Self.whole), StorageMetadata(dictionary: Self.whole)
        )
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        let changed = StorageMetadata(
            dictionary: Self.whole.merging(["md5Hash": "other"]) { $1 })
        #expect(one != changed)
    }

    @Test("Is copied to an equal one that changes apart, with the same beginning (109)")
    func copy() {
        let metadata = StorageMetadata(dictionary: Self.whole)
        metadata.contentLanguage = "en"
        let copy = metadata.copy()
        #expect(copy == metadata)
        #expect(copy !== metadata)
        copy.cacheControl = nil
        #expect(metadata.cacheControl == "max-age=1")
        #expect(
            String(decoding: copy.updateBody, as: UTF8.self)
                == #"{"cacheControl":null,"contentLanguage":"en"}"#)
    }

    @Test("Sends what changed, and null for what was removed (110, 111, 112)")
    func changes() {
        let metadata = StorageMetadata(dictionary: Self.whole)
        #expect(String(decoding: metadata.updateBody, as: UTF8.self) == "{}")
        metadata.customMetadata = ["other": "new"]
        metadata.contentType = nil
        #expect(
            String(decoding: metadata.updateBody, as: UTF8.self)
                == #"{"contentType":null,"metadata":{"key":null,"other":"new"}}"#)
    }

    @Test("Describes every field that has a value")
    func describes() {
        let metadata = StorageMetadata()
        metadata.contentType = "text/plain"
        metadata.customMetadata = ["a": "b"]
        #expect(metadata.description.contains("contentType: text/plain"))
        #expect(metadata.description.contains("metadata.a: b"))
    }
}
