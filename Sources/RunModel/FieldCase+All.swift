extension FieldCase {
    /// All of them, by number.
    package static let all: [FieldCase] = [
        FieldCase(
            "B001",
            [
                "firebase/firebase-ios-sdk/issues/16353", "firebase/firebase-ios-sdk/pull/16358",
                "firebase/firebase-ios-sdk/pull/16359",
            ]),
        FieldCase("B003", ["firebase/flutterfire/issues/11654"]),
        FieldCase(
            "B005", ["firebase/firebase-tools/issues/5412", "firebase/flutterfire/issues/10760"]),
        FieldCase(
            "B007",
            ["google/gtm-session-fetcher/issues/422", "google/gtm-session-fetcher/issues/462"]),
        FieldCase("B009", ["firebase/quickstart-ios/issues/88"]),
        FieldCase("B011", ["firebase/firebase-ios-sdk/pull/16359"]),
        FieldCase(
            "B013", ["firebase/quickstart-ios/issues/88", "myflashlab/Firebase-ANE/issues/18"]),
        FieldCase(
            "B015",
            [
                "invertase/react-native-firebase/issues/2043",
                "firebase/firebase-ios-sdk/issues/16353",
            ]),
        FieldCase("B017", ["tus/TUSKit/issues/192"]),
        FieldCase(
            "B019",
            ["firebase/firebase-ios-sdk/issues/9716", "firebase/firebase-ios-sdk/pull/16359"]),
        FieldCase("B021", ["firebase/flutterfire/issues/3784"]),
        FieldCase("B023", ["firebase/firebase-ios-sdk/pull/16359"]),
        FieldCase("B025", ["firebase/firebase-ios-sdk/issues/12812"]),
        FieldCase("B027", ["firebase/firebase-ios-sdk/issues/10463"]),
        FieldCase("B029", ["invertase/react-native-firebase/issues/1591"]),
        FieldCase(
            "B031",
            [
                "firebase/firebase-ios-sdk/blob/eed63a3/FirebaseStorage/Sources/StorageObservableTask.swift"
            ]),
        FieldCase("B033", ["firebase/firebase-ios-sdk/issues/8724"]),
        FieldCase("B035", ["firebase/firebase-ios-sdk/issues/35"]),
        FieldCase("B037", ["firebase/firebase-android-sdk/issues/3021"]),
        FieldCase("B039", ["firebase/firebase-android-sdk/issues/322"]),
        FieldCase("B041", ["firebase/flutterfire/issues/10852"], ownTests: ["SelfTests.link"]),
        FieldCase("B043", ["firebase/firebase-android-sdk/issues/435"]),
        FieldCase(
            "B045",
            ["googleapis/google-cloud-cpp/issues/2894", "googleapis/google-cloud-cpp/issues/12942"]),
        FieldCase("B047", ["googleapis/nodejs-storage/pull/1779"]),
        FieldCase(
            "B049",
            [
                "tusdotnet/tusdotnet/issues/156", "owncloud/core/issues/31843",
                "tomdesair/tus-java-server/issues/80", "tus/tusd/issues/271",
            ]),
        FieldCase(
            "B051", ["tus/tusd/issues/1161", "tus/tusd/issues/1041"],
            ownTests: ["UploadSelfTests.overlap", "VirtualTimeTests.overlap"]),
        FieldCase("B053", ["QubitProducts/gcs-browser-upload/issues/29"]),
        FieldCase("B055", ["tus/TUSKit/issues/159"]),
        FieldCase("B056", ["firebase/firebase-ios-sdk/issues/147"]),
        FieldCase(
            "B058", ["firebase/firebase-tools/pull/4184"], ownTests: ["UploadSelfTests.credentials"]
        ),
        FieldCase("B060", ["box/box-ios-sdk/pull/86"]),
        FieldCase("B062", ["embulk/embulk-output-gcs/pull/28"]),
        FieldCase(
            "B063", ["firebase/firebase-js-sdk/pull/6653", "firebase/firebase-js-sdk/issues/6652"]),
        FieldCase("B065", ["googleapis/google-cloud-cpp/issues/8868"]),
        FieldCase(
            "B067", ["googleapis/java-storage/pull/1155", "googleapis/storage-testbench/pull/169"]),
        FieldCase(
            "B069",
            [
                "Vydia/react-native-background-upload/issues/113",
                "gotev/android-upload-service/issues/156", "Alamofire/Alamofire/issues/2732",
            ]),
        FieldCase(
            "B071", ["floci-io/floci-gcp/pull/132"],
            ownTests: ["VirtualTimeTests.overlappingFinals"]),
        FieldCase("B072", ["googleapis/nodejs-storage/issues/2193"]),
        FieldCase("B074", ["google/gtm-session-fetcher/pull/323"]),
        FieldCase("B076", ["scylladb/scylladb/issues/31541"]),
        FieldCase("B078", ["googleapis/google-cloud-cpp/issues/7880"]),
        FieldCase(
            "B080",
            [
                "googleapis/java-storage/pull/2771", "googleapis/java-storage/issues/2770",
                "googleapis/storage-testbench/issues/685",
            ]),
        FieldCase("B082", ["googleapis/google-cloud-go/issues/1507"]),
        FieldCase(
            "B084", ["firebase/quickstart-ios/issues/138"],
            ownTests: ["UploadSelfTests.announcedTotal"]),
        FieldCase("B086", ["itchio/butler/issues/71"]),
        FieldCase("B088", ["firebase/firebase-tools/pull/4407"]),
        FieldCase("B090", ["firebase/flutterfire/issues/6776"]),
        FieldCase("B092", ["fsspec/gcsfs/issues/31"]),
        FieldCase("B094", ["firebase/firebase-ios-sdk/blob/main/FirebaseStorage/CHANGELOG.md"]),
        FieldCase("B096", ["firebase/firebase-android-sdk/pull/4087"]),
        FieldCase("B098", ["googleapis/nodejs-storage/issues/312"]),
        FieldCase("B100", ["googleapis/conformance-tests/blob/main/storage/v1/retry_tests.json"]),
        FieldCase(
            "B102",
            [
                "googleapis/google-cloud-cpp/issues/9182",
                "googleapis/google-cloud-dotnet/issues/8576",
            ]),
        FieldCase("B104", ["tus/TUSKit/issues/29", "tus/TUSKit/issues/27"]),
        FieldCase(
            "B105",
            [
                "googleapis/storage-testbench/issues/667",
                "googleapis/storage-testbench/issues/686", "googleapis/storage-testbench/pull/684",
            ]),
        FieldCase("B107", ["googleapis/nodejs-storage/issues/1622"]),
        FieldCase("B109", ["Volafile/volafile-bugs/issues/133"]),
        FieldCase(
            "B111",
            [
                "containers/ramalama/pull/2917", "serapeum-org/earthlens/issues/1174",
                "Backblaze/b2-sdk-python/pull/32",
            ]),
        FieldCase("B113", ["googleapis/java-storage/pull/1434"]),
        FieldCase("B115", ["rclone/rclone/issues/999", "rclone/rclone/issues/3244"]),
        FieldCase("B117", ["nathom/streamrip/pull/1009"]),
        FieldCase("B119", ["googleapis/conformance-tests/blob/main/storage/v1/retry_tests.json"]),
        FieldCase(
            "B120", ["googleapis/google-cloud-go/issues/588", "elastic/elasticsearch/pull/127626"]),
        FieldCase("B122", ["Alamofire/Alamofire/issues/2782"]),
        FieldCase(
            "B124", ["Alamofire/Alamofire/issues/2084", "firebase/firebase-ios-sdk/issues/11870"]),
        FieldCase(
            "B126",
            [
                "googleapis/google-cloud-go/issues/1800", "googleapis/google-cloud-cpp/issues/8286",
                "googleapis/google-resumable-media-python/pull/346",
            ]),
        FieldCase(
            "B128",
            [
                "firebase/firebase-android-sdk/pull/2618", "firebase/quickstart-unity/issues/167",
                "Alamofire/Alamofire/issues/1904", "onevcat/Kingfisher/issues/935",
            ]),
        FieldCase(
            "B130",
            ["firebase/firebase-ios-sdk/pull/10412", "firebase/firebase-ios-sdk/issues/10358"]),
        FieldCase("B132", ["fsouza/fake-gcs-server/issues/263", "overleaf/filestore/pull/121"]),
        FieldCase(
            "B133",
            ["firebase/firebase-ios-sdk/issues/2350", "firebase/firebase-ios-sdk/issues/1888"]),
        FieldCase("B135", ["aws-amplify/amplify-swift/pull/4203"]),
        FieldCase("B137", ["Alamofire/Alamofire/issues/3435"]),
        FieldCase("B138", ["firebase/firebase-tools/issues/4958"]),
        FieldCase(
            "B140", ["scylladb/scylladb/issues/31241", "scylladb/scylladb/issues/31570"],
            ownTests: ["UploadSelfTests.unannouncedTotal"]),
        FieldCase("B142", ["fsspec/gcsfs/issues/389"], ownTests: ["UploadSelfTests.granularity"]),
        FieldCase("B144", ["nodejs/node/issues/54366"]),
        FieldCase("B146", ["chansen/p5-http-tiny/issues/121", "dakrone/clj-http/issues/277"]),
        FieldCase("B147", ["firebase/firebase-ios-sdk/issues/11870"]),
        FieldCase("B149", ["firebase/firebase-ios-sdk/issues/16039"]),
        FieldCase("B151", ["rclone/rclone/issues/981", "googleapis/storage-testbench#readme"]),
        FieldCase("B153", ["denoland/deno/pull/32148"]),
        FieldCase("B155", ["Shopify/toxiproxy/issues/404"], ownTests: ["SelfTests.counting"]),
        FieldCase(
            "B157",
            [
                "wiremock/WireMock.Net/issues/480", "LukeMathWalker/wiremock-rs/issues/149",
                "httpmock/httpmock/issues/199",
            ], ownTests: ["BreakFaultTests.download"]),
        FieldCase(
            "B159",
            ["googleapis/storage-testbench/issues/707", "googleapis/storage-testbench/pull/724"],
            ownTests: ["SelfTests.accounting", "SelfTests.byteBehindChunk"]),
        FieldCase(
            "B161", ["GoogleCloudPlatform/gsutil/pull/822"],
            ownTests: ["HeldBodyTests.standsStill", "WaitingTests.gate"]),
        FieldCase(
            "B163",
            [
                "fsouza/fake-gcs-server/issues/2354", "fsouza/fake-gcs-server/issues/1362",
                "fsouza/fake-gcs-server/issues/1149",
            ], ownTests: ["SelfTests.queries", "SelfTests.credit"]),
        FieldCase(
            "B165",
            ["firebase/firebase-ios-sdk/issues/9385", "firebase/firebase-ios-sdk/issues/14742"]),
        FieldCase("B167", ["firebase/firebase-ios-sdk/issues/13071"]),
        FieldCase("B169", ["firebase/flutterfire/issues/3723", "firebase/flutterfire/pull/2884"]),
        FieldCase("B171", ["abraunegg/onedrive/issues/2825", "rclone/rclone/issues/3866"]),
        FieldCase(
            "B173", ["firebase/firebase-tools/pull/4210", "firebase/firebase-tools/pull/4860"],
            ownTests: ["SelfTests.finishedSessions", "UploadSelfTests.refusedEnd"]),
        FieldCase(
            "B177",
            [
                "dropbox/dropbox-sdk-dotnet/issues/118", "kunalvarma05/dropbox-php-sdk/issues/2",
                "andreafabrizi/Dropbox-Uploader/issues/405",
                "andreafabrizi/Dropbox-Uploader/issues/593",
            ]),
    ]
}
