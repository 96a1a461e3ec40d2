using static EventHubThroughput.EndToEnd.Tests.BadInputRow;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The table of bad input in files: data that is read, files that are written, and paths of another kind than is asked for.</summary>
internal static class BadInputFiles
{
    private const string NoTemporary = "error: temporary folder /nowhere/: cannot be used (it is not a folder). TMPDIR names another";

    public static IEnumerable<BadInputRow> All => [.. DataFiles, .. Outputs];

    private static IReadOnlyList<BadInputRow> DataFiles { get; } =
    [
        Input("missing", "x.jsonl", null, "error: {dir}/x.jsonl: not found"),
        new("data file is a folder", "sender", "--input {dir}", "error: {dir}: is a folder") { Settings = Changed() },
        Input("empty", "x.jsonl", "", "error: {dir}/x.jsonl: contains no events"),
        Input("header alone", "x.csv", "a,b\n", "error: {dir}/x.csv: contains no events"),
        Input("other kind", "x.txt", "a", "error: {dir}/x.txt: unknown ending of a file, allowed .jsonl, .ndjson, .json, .csv, and each with .gz"),
        Input("bad line", "x.jsonl", "{\"a\":1}\n{\"secret\":\n", "error: {dir}/x.jsonl:2: not valid JSON: unexpected end"),
        Input(
            "first twenty bad lines",
            "x.jsonl",
            string.Concat(Enumerable.Repeat("{\n", 51)),
            string.Concat(Enumerable.Range(1, 20).Select(static line => $"error: {{dir}}/x.jsonl:{line}: not valid JSON: unexpected end\n"))
                + "error: and 31 more"
        ),
        Input("columns", "x.csv", "a,b,c,d,e,f\n1,2,3,4,5,6\n1,2,3,4,5\n", "error: {dir}/x.csv:3: 5 columns, the header has 6"),
        Input("too large", "x.jsonl", $"{{\"a\":\"{new string('x', 1_203_992)}\"}}\n", "error: {dir}/x.jsonl:1: 1,204,000 bytes, limit 1,048,576"),
        Input("too deep", "x.jsonl", new string('[', 65) + new string(']', 65), "error: {dir}/x.jsonl:1: not valid JSON: nested deeper than 64"),
        Input("not UTF-8", "x.jsonl", "{}\n\u00ff\u00fe{}\n", "error: {dir}/x.jsonl:2: not valid UTF-8, use JSON Lines with \"bodyBase64\""),
    ];

    // Files that are written, and paths of another kind than is asked for.
    private static IReadOnlyList<BadInputRow> Outputs { get; } =
    [
        Written("ledger over the input", "sender", "--input {dir}/x.jsonl --ledger {dir}/x.jsonl", "error: --ledger {dir}/x.jsonl: is the file of --input"),
        Written(
            "ledger over the input by another way",
            "sender",
            "--input {dir}/x.jsonl --ledger {dir}/./x.jsonl",
            "error: --ledger {dir}/./x.jsonl: is the file of --input"
        ),
        Written("ledger over a foreign file", "sender", "--count 3 --ledger {dir}/x.jsonl", Foreign("--ledger {dir}/x.jsonl", "ledger")),
        Written(
            "journal over the settings",
            "emulator",
            "--settings {dir}/empty.json --journal {dir}/empty.json",
            "error: --journal {dir}/empty.json: is the file of --settings"
        ),
        Written(
            "journal over the key",
            "emulator",
            "--key-file {dir}/x.jsonl --journal {dir}/x.jsonl",
            "error: --journal {dir}/x.jsonl: is the file of --key-file"
        ),
        Written(
            "journal over the profile",
            "emulator",
            "--profile {dir}/empty.json --journal {dir}/empty.json",
            "error: --journal {dir}/empty.json: is the file of --profile"
        ),
        Written(
            "journal over a file of faults",
            "emulator",
            "--faults F11,{dir}/empty.json --journal {dir}/empty.json",
            "error: --journal {dir}/empty.json: is the file of --faults"
        ),
        Written("journal over a foreign file", "emulator", "--journal {dir}/x.jsonl", Foreign("--journal {dir}/x.jsonl", "journal")),
        Written(
            "journal over a foreign file, with data",
            "emulator",
            "--data {dir}/data --journal {dir}/x.jsonl",
            Foreign("--journal {dir}/x.jsonl", "journal")
        ),
        Written("journal over a ledger", "emulator", "--journal {dir}/ledger", Foreign("--journal {dir}/ledger", "journal")),
        Written(
            "results over the ledger",
            "consumer",
            "--ledger {dir}/ledger --journal {dir}/j --output {dir}/ledger",
            "error: --output {dir}/ledger: is the file of --ledger"
        ),
        Written(
            "results over the journal",
            "consumer",
            "run --ledger {dir}/ledger --journal {dir}/j --output {dir}/j",
            "error: --output {dir}/j: is the file of --journal"
        ),
        Written("results over a foreign file", "consumer", "--output {dir}/x.jsonl", Foreign("--output {dir}/x.jsonl", "result")),
        Written(
            "results of a verification over a foreign file",
            "consumer",
            "verify --ledger {dir}/ledger --journal {dir}/j --output {dir}/x.jsonl",
            Foreign("--output {dir}/x.jsonl", "result")
        ),
        new("results over what is kept", "consumer", "--keep {dir} --output {dir}/ledger.jsonl", "error: --output {dir}/ledger.jsonl: is the file of --keep"),
        new(
            "results over the profile",
            "consumer",
            "--profile {dir}/x.json --output {dir}/x.json",
            "error: --output {dir}/x.json: is the file of --profile\nerror: --profile {dir}/x.json: not found"
        ),
        new(
            "kept over foreign files",
            "consumer",
            "--keep {dir}",
            $"{Foreign("--keep {dir}/journal.jsonl", "journal")}\n{Foreign("--keep {dir}/ledger.jsonl", "ledger")}"
        )
        {
            Files = new Dictionary<string, string>(StringComparer.Ordinal) { ["journal.jsonl"] = "mine", ["ledger.jsonl"] = "mine" },
        },
        new(
            "an assembly that is not there",
            "consumer",
            "--strategy-assembly {dir}/x.dll --strategy=mine",
            "error: --strategy-assembly {dir}/x.dll: no such file"
        ),
        new("an assembly that is none", "consumer", "--strategy-assembly {dir}/x.dll", "error: --strategy-assembly {dir}/x.dll: cannot be loaded: *")
        {
            Files = Named("x.dll", ""),
        },
        new("kept in a file", "consumer", "--keep {dir}/x", "error: --keep {dir}/x: is a file, name a folder") { Files = Named("x", "") },
        new("kept in a file, supervised", "consumer", "supervise --keep {dir}/x", "error: --keep {dir}/x: is a file, name a folder") { Files = Named("x", "") },
        new("kept below a file", "consumer", "--keep {dir}/x/y --no-metrics", "embedded run: *\nerror: --keep {dir}/x/y: cannot be written: *")
        {
            Files = Named("x", ""),
            ExitCode = 5,
        },
        new("journal is a folder", "emulator", "--journal {dir}", "error: --journal {dir}: is a folder") { ExitCode = 5 },
        new("journal in no folder", "emulator", "--journal {dir}/none/j", "error: --journal {dir}/none/j: cannot be written: folder {dir}/none does not exist")
        {
            ExitCode = 5,
        },
        new("settings are a folder", "emulator", "--settings {dir}", "error: {dir}: is a folder"),
        new("profile is a folder", "emulator", "--profile {dir}/x.json", "error: {dir}/x.json: is a folder") { Files = Named("x.json/", "") },
        new("faults are a folder", "emulator", "--faults {dir}/x.json", "error: {dir}/x.json: is a folder") { Files = Named("x.json/", "") },
        new("faults of an embedded run are a folder", "consumer", "--no-metrics --faults {dir}/x.json", "error: --faults {dir}/x.json: is a folder")
        {
            Files = Named("x.json/", ""),
        },
        new("spill in no folder", "emulator", "--spill {dir}/none", "error: --spill {dir}/none: cannot be written *") { ExitCode = 5 },
        new(
            "more events than the disk holds",
            "consumer",
            "--no-metrics --events 10000000 --size 1000000",
            "embedded run: *\nerror: --events 10000000: needs about *"
        ),
        new("data in a file", "emulator", "--data {dir}/x", "error: --data {dir}/x: is a file, name a folder") { Files = Named("x", "") },
        new(
            "address of another machine",
            "emulator",
            "--host 8.8.8.8 --allow-remote",
            "error: --host '8.8.8.8': cannot be listened on, it is not an address of this machine"
        ),
        new("address without its interface", "emulator", "--host fe80::1 --allow-remote", "error: --host 'fe80::1': cannot be listened on, *"),
        new("port out of range", "emulator", "--blob-port 65536", "error: --blob-port 65536: out of range, allowed 0 to 65535"),
        new(
            "metrics on an address of another machine",
            "consumer",
            "--metrics-host 8.8.8.8",
            "embedded run: *\nwarning: --metrics-host 8.8.8.8: *\nerror: --metrics-host 8.8.8.8, --metrics-port 9464: *"
        ),
        new("no place for temporary files", "consumer", "--no-metrics", $"embedded run: *\n{NoTemporary}") { Settings = Elsewhere },
        new("no place for temporary files, supervised", "consumer", "supervise --cycles 1 --strategy baseline", NoTemporary) { Settings = Elsewhere },
        new("no place for the certificate", "emulator", "--tls-port 0", NoTemporary) { Settings = Elsewhere },
        new("no place to read a namespace back", "consumer", "verify --ledger {dir}/ledger", NoTemporary)
        {
            Settings = Changed(("TMPDIR", "/nowhere")),
            Files = Named("ledger", "{\"format\":\"eht-ledger\",\"version\":1}\n{\"rows\":0}\n"),
        },
    ];

    private static BadInputRow Input(string name, string file, string? content, string expected) =>
        new($"data file: {name}", "sender", $"--input {{dir}}/{file}", expected)
        {
            Settings = Changed(),
            Files = content is null ? new Dictionary<string, string>() : Named(file, content),
        };

    // No settings of services, as they are all taken away.
    private static Dictionary<string, string?> Elsewhere =>
        Changed(
            ("EVENTHUB_CONNECTION_STRING", null),
            ("EVENTHUB_NAME", null),
            ("SERVICEBUS_CONNECTION_STRING", null),
            ("SERVICEBUS_QUEUE", null),
            ("STORAGE_CONNECTION_STRING", null),
            ("TMPDIR", "/nowhere")
        );

    private static string Foreign(string option, string kind) =>
        $"error: {option}: exists and is not a {kind} of this program, name another file, or move it away";

    // The emulator takes no notice of the settings.
    private static BadInputRow Written(string name, string program, string arguments, string expected) =>
        new(name, program, arguments, expected)
        {
            Settings = Changed(),
            Files = new Dictionary<string, string>(StringComparer.Ordinal)
            {
                ["x.jsonl"] = "{\"a\":1}\n",
                ["empty.json"] = "",
                ["ledger"] = "{\"format\":\"eht-ledger\",\"version\":1}\n{\"rows\":0}\n",
                ["j"] = "{\"format\":\"eht-journal\",\"version\":5}\n",
            },
        };
}
