using static EventHubThroughput.EndToEnd.Tests.BadInputRow;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// The table of bad input, for run, verify, sender and emulator. That of files is in <see cref="BadInputFiles"/>, that of compare, sweep and profile
/// in <see cref="BadInputComparisons"/>. Journals are made in <see cref="VerifyInputTests"/>. Input that needs a live service or a port is in <see
/// cref="BadInputTests"/>.
/// </summary>
internal static class BadInputTable
{
    private const string UnknownProfile = "unknown. Known: none, article*";

    public static IReadOnlyList<BadInputRow> CommandLine { get; } =
    [
        new("unknown strategy", "consumer", "--strategy=outlop", "error: --strategy 'outlop': unknown, did you mean 'outloop'? Known: baseline, inloop*"),
        new("number that is none", "consumer", "--degree many", "error: --degree 'many': not a whole number, allowed 1 to 4096"),
        new("NaN", "consumer", "--degree=NaN", "error: --degree 'NaN': not a whole number, allowed 1 to 4096"),
        new("blank number", "consumer", "--degree \" \"", "error: --degree ' ': not a whole number, allowed 1 to 4096"),
        new("zero", "consumer", "--batch 0", "error: --batch 0: out of range, allowed 1 to 10000"),
        new("negative", "consumer", "--batch -1", "error: --batch -1: out of range, allowed 1 to 10000"),
        new("10^12", "consumer", "--degree 1000000000000", "error: --degree 1000000000000: out of range, allowed 1 to 4096"),
        new("duration without unit", "consumer", "--drain-limit 10", "error: --drain-limit '10': missing unit, write 10s, 500ms or 2m"),
        new("unknown option", "consumer", "--degre 4", "error: --degre: unknown option, did you mean '--degree'?"),
        new("given twice", "consumer", "--degree 3 --degree 4", "error: --degree: given twice"),
        new("value missing", "consumer", "--degree", "error: --degree: value missing"),
        new(
            "secret as an option",
            "consumer",
            $"--connection-string Endpoint=sb://x;SharedAccessKey={BadInputRow.Canary}",
            "error: --connection-string: not an option. Set EVENTHUB_CONNECTION_STRING, or use a settings file with mode 0600"
        ),
        new("secret as a word", "consumer", $"SharedAccessKey={BadInputRow.Canary}", "error: 'SharedAccessKey=***': unexpected argument"),
        new(
            "expiry below two intervals",
            "consumer",
            "--ownership-expiry 30s --balancing-interval 30s",
            "error: ownership expiry 30s: must be at least 2 x the balancing interval (30s)"
        ),
        new(
            "collector that is no address",
            "consumer",
            "--otlp localhost:4318",
            "error: --otlp 'localhost:4318': not the address of a collector, allowed are http and https as in http://127.0.0.1:4318"
        ),
        new(
            "collector with a password",
            "sender",
            $"--otlp http://me:{BadInputRow.Canary}@127.0.0.1:4318",
            "error: --otlp 'http://***@127.0.0.1:4318': contains a name or a password. Put credentials of the collector into OTEL_EXPORTER_OTLP_HEADERS"
        ),
        new("what is sent to no collector", "consumer", "--otlp-signals metrics", "error: --otlp-signals: only with --otlp"),
        new("result path is a folder", "consumer", "--output {dir}", "error: --output {dir}: is a folder") { ExitCode = 5 },
        new(
            "result path in no folder",
            "consumer",
            "--output {dir}/none/result.json",
            "error: --output {dir}/none/result.json: cannot be written: folder {dir}/none does not exist"
        )
        {
            ExitCode = 5,
        },
        new(
            "everything at once",
            "consumer",
            "--degree=0 --degre=3 --strategy=zebra --batch",
            """
            error: --degree 0: out of range, allowed 1 to 4096
            error: --degre: unknown option, did you mean '--degree'?
            error: --strategy 'zebra': unknown. Known: baseline, inloop*
            error: --batch: value missing
            """
        ),
        new("sender: rate that is none", "sender", "--rate fast", "error: --rate 'fast': not a rate, write 100/s"),
        new("sender: unknown producer", "sender", "--producer bufferd", "error: --producer 'bufferd': unknown, did you mean 'buffered'? Known: batched*"),
        new("sender: run name", "sender", "--run \"A B\"", "error: --run 'A B': allowed are 1 to 40 lower-case letters, digits and single hyphens between them")
        {
            Settings = Changed(),
        },
        new(
            "consumer: run name",
            "consumer",
            "--run \"A B\"",
            "error: --run 'A B': allowed are 1 to 40 lower-case letters, digits and single hyphens between them"
        ),
        new(
            "consumer: unknown log level",
            "consumer",
            "--log-level loud",
            "error: --log-level 'loud': unknown. Known: none, error, warning, information, debug, trace*"
        ),
        new("consumer: unknown log format", "consumer", "--log-format xml", "error: --log-format 'xml': unknown. Known: text, json*"),
        new(
            "sender: unknown log level",
            "sender",
            "--log-level loud",
            "error: --log-level 'loud': unknown. Known: none, error, warning, information, debug, trace*"
        ),
        new("sender: unknown log format", "sender", "--log-format xml", "error: --log-format 'xml': unknown. Known: text, json*"),
        new(
            "emulator: unknown log level",
            "emulator",
            "--log-level loud",
            "error: --log-level 'loud': unknown. Known: none, error, warning, information, debug, trace*"
        ),
        new("emulator: unknown log format", "emulator", "--log-format xml", "error: --log-format 'xml': unknown. Known: text, json*"),
        new("sender: no settings", "sender", "--count 10", "error: EVENTHUB_CONNECTION_STRING: not set*"),
    ];

    public static IReadOnlyList<BadInputRow> Environment { get; } =
    [
        Setting(
            "no endpoint",
            "EVENTHUB_CONNECTION_STRING",
            $"SharedAccessKeyName=x;SharedAccessKey={BadInputRow.Canary}",
            "error: EVENTHUB_CONNECTION_STRING: 'Endpoint' missing"
        ),
        Setting(
            "no key",
            "SERVICEBUS_CONNECTION_STRING",
            "Endpoint=sb://127.0.0.1;SharedAccessKeyName=x",
            "error: SERVICEBUS_CONNECTION_STRING: 'SharedAccessKey' missing*"
        ),
        Setting(
            "no part",
            "EVENTHUB_CONNECTION_STRING",
            $"Endpoint=sb://127.0.0.1;{BadInputRow.Canary.TrimEnd('=')};SharedAccessKeyName=x",
            "error: EVENTHUB_CONNECTION_STRING: a part is not of the form Name=Value"
        ),
        Setting(
            "account key that is none",
            "STORAGE_CONNECTION_STRING",
            $"AccountName=x;AccountKey={BadInputRow.Canary}!!",
            "error: STORAGE_CONNECTION_STRING: 'AccountKey' is not base64"
        ),
        Setting(
            "two kinds of credential",
            "EVENTHUB_NAMESPACE",
            "ns.servicebus.windows.net",
            "error: EVENTHUB_NAMESPACE and EVENTHUB_CONNECTION_STRING: both set, choose one"
        ),
        new(
            "Entra ID for the built-in clients",
            "consumer",
            "--strategy=outloop --clients=builtin",
            """
            error: EVENTHUB_NAMESPACE: Entra ID needs --clients=official
            error: SERVICEBUS_NAMESPACE: Entra ID needs --clients=official
            error: STORAGE_ACCOUNT_URL: Entra ID needs --clients=official
            """
        )
        {
            Settings = Changed(
                ("EVENTHUB_CONNECTION_STRING", null),
                ("EVENTHUB_NAMESPACE", "ns.example.net"),
                ("SERVICEBUS_CONNECTION_STRING", null),
                ("SERVICEBUS_NAMESPACE", "ns.example.net"),
                ("STORAGE_CONNECTION_STRING", null),
                ("STORAGE_ACCOUNT_URL", "https://a.example.net")
            ),
        },
        new(
            "sender: Entra ID for the built-in clients",
            "sender",
            "--count 5 --clients=builtin",
            "error: EVENTHUB_NAMESPACE: Entra ID needs --clients=official"
        )
        {
            Settings = Changed(("EVENTHUB_CONNECTION_STRING", null), ("EVENTHUB_NAMESPACE", "ns.example.net")),
        },
        new(
            "verify: Entra ID for the built-in clients",
            "consumer",
            "verify --clients=builtin --ledger {dir}/x",
            "error: SERVICEBUS_NAMESPACE: Entra ID needs --clients=official"
        )
        {
            Settings = Changed(("SERVICEBUS_CONNECTION_STRING", null), ("SERVICEBUS_NAMESPACE", "ns.example.net")),
        },
        Setting("queue and topic", "SERVICEBUS_TOPIC", "topic", "error: SERVICEBUS_QUEUE and SERVICEBUS_TOPIC: both set, choose one"),
        Setting("no queue", "SERVICEBUS_QUEUE", null, "error: SERVICEBUS_QUEUE: not set, nor is SERVICEBUS_TOPIC*"),
        Setting("no credential", "SERVICEBUS_CONNECTION_STRING", null, "error: SERVICEBUS_CONNECTION_STRING: not set"),
        Setting(
            "emulator's flag for a remote host",
            "EVENTHUB_CONNECTION_STRING",
            $"Endpoint=sb://ns.example.net;SharedAccessKeyName=k;SharedAccessKey={BadInputRow.Canary};UseDevelopmentEmulator=true",
            "error: EVENTHUB_CONNECTION_STRING: UseDevelopmentEmulator is allowed for loopback hosts only, got 'ns.example.net'"
        ),
        Setting(
            "container name",
            "STORAGE_CONTAINER",
            "No_Such/Name",
            "error: STORAGE_CONTAINER: 'No_Such/Name' is not a container name, allowed are 3 to 63 lower-case letters, digits and single hyphens"
        ),
        Setting(
            "archive for dead letters",
            "DEADLETTER_CONTAINER",
            "archive",
            "error: STORAGE_CONTAINER and DEADLETTER_CONTAINER: both 'archive', must be different containers"
        ),
        new("settings that are blank", "consumer", "--strategy=outloop", "error: EVENTHUB_CONNECTION_STRING: set, but blank")
        {
            Settings = Changed(
                ("EVENTHUB_CONNECTION_STRING", ""),
                ("EVENTHUB_NAME", null),
                ("SERVICEBUS_CONNECTION_STRING", null),
                ("SERVICEBUS_QUEUE", null),
                ("STORAGE_CONNECTION_STRING", null)
            ),
        },
        new(
            "verify: archive for dead letters",
            "consumer",
            "verify --ledger {dir}/x",
            "error: STORAGE_CONTAINER and DEADLETTER_CONTAINER: both 'archive', must be different containers"
        )
        {
            Settings = Changed(("DEADLETTER_CONTAINER", "archive")),
        },
        new(
            "supervise: settings with the archive for dead letters",
            "consumer",
            "supervise",
            "error: supervise: runs on its own emulator, but connection settings are set in the environment"
        )
        {
            Settings = Changed(("DEADLETTER_CONTAINER", "archive")),
        },
        Setting(
            "hub against EntityPath",
            "EVENTHUB_CONNECTION_STRING",
            $"Endpoint=sb://127.0.0.1:9;SharedAccessKeyName=k;SharedAccessKey={BadInputRow.Canary};EntityPath=other;UseDevelopmentEmulator=true",
            "error: EVENTHUB_NAME: 'hub' differs from 'EntityPath' of EVENTHUB_CONNECTION_STRING, which is 'other'"
        ),
        new(
            "all settings at once",
            "consumer",
            "--strategy=outloop --batch 0",
            """
            error: --batch 0: out of range, allowed 1 to 10000
            error: EVENTHUB_CONNECTION_STRING: 'Endpoint' missing
            error: SERVICEBUS_CONNECTION_STRING: not set
            error: SERVICEBUS_QUEUE and SERVICEBUS_TOPIC: both set, choose one
            """
        )
        {
            Settings = Changed(
                ("EVENTHUB_CONNECTION_STRING", $"SharedAccessKey={BadInputRow.Canary}"),
                ("SERVICEBUS_CONNECTION_STRING", null),
                ("SERVICEBUS_TOPIC", "t")
            ),
        },
        new(
            "embedded option with settings",
            "consumer",
            "--events 3",
            "error: --events: only for embedded runs, but connection settings are set in the environment"
        )
        {
            Settings = Changed(),
        },
    ];

    public static IReadOnlyList<BadInputRow> Emulator { get; } =
    [
        new("remote address", "emulator", "--host 0.0.0.0", "error: --host '0.0.0.0': opens the emulator to other machines, add --allow-remote to allow it"),
        new("unknown profile", "emulator", "--profile fast", $"error: --profile 'fast': {UnknownProfile}"),
        new("unknown fault", "emulator", "--faults F111", "error: --faults 'F111': unknown, did you mean 'F11'? Known: F3*"),
        Emulated(
            "unknown key",
            "--profile",
            "{\"messageSend\":{\"meenMs\":1}}",
            "error: {dir}/x.json:1: 'messageSend.meenMs': unknown, did you mean 'meanMs'?*"
        ),
        Emulated("negative latency", "--profile", "{\"messageSend\":{\"meanMs\":-1}}", "error: {dir}/x.json:1: 'messageSend.meanMs' -1: allowed 0 to 600000"),
        Emulated(
            "latency that is no number",
            "--profile",
            "{\"messageSend\":{\"meanMs\":\"NaN\"}}",
            "error: {dir}/x.json:1: 'messageSend.meanMs' 'NaN': not a number, allowed 0 to 600000"
        ),
        Emulated("probability", "--faults", "{\"name\":\"F11\",\"probability\":1.5}", "error: {dir}/x.json:1: 'probability' 1.5: allowed 0 to 1"),
        Emulated("cut settings", "--settings", "{", "error: {dir}/x.json:1: not valid JSON: unexpected end"),
        new("no settings file", "emulator", "--settings {dir}/none.json", "error: {dir}/none.json: not found"),
        Emulated(
            "key for everybody's eyes",
            "--key-file",
            BadInputRow.Canary,
            "error: --key-file {dir}/x.json: readable by other users, run: chmod 600 {dir}/x.json"
        ),
        new("no partitions", "emulator", "--partitions 0", "error: --partitions 0: out of range, allowed 1 to 1024"),
        new("5,000 partitions", "emulator", "--partitions 5000", "error: --partitions 5000: out of range, allowed 1 to 1024"),
        new("real namespace", "emulator", "--hub x.servicebus.windows.net", "error: --hub 'x.servicebus.windows.net': the emulator never talks to Azure"),
        new(
            "emulator: everything at once",
            "emulator",
            "--partitions 0 --host 0.0.0.0 --queue a//b",
            """
            error: --partitions 0: out of range, allowed 1 to 1024
            error: --host '0.0.0.0': opens the emulator to other machines, add --allow-remote to allow it
            error: --queue 'a//b': not a name*
            """
        ),
    ];

    public static IReadOnlyList<BadInputRow> Verification { get; } =
    [
        new(
            "result file instead of evidence",
            "consumer",
            "verify {dir}/results.json --ledger {dir}/x --journal {dir}/y",
            "error: '{dir}/results.json': a verdict is computed from --ledger and --journal, or from the namespace, never from a result file"
        ),
        new("no ledger named", "consumer", "verify --journal {dir}/y", "error: --ledger: not given"),
        new(
            "no journal and no settings",
            "consumer",
            "verify --ledger {dir}/x",
            "error: --journal: not given, and no connection settings are set in the environment to read a namespace back"
        ),
        new(
            "both files missing",
            "consumer",
            "verify --ledger {dir}/x --journal {dir}/y",
            "error: --ledger {dir}/x: not found\nerror: --journal {dir}/y: not found"
        )
        {
            ExitCode = 3,
        },
        new(
            "ledger is a folder",
            "consumer",
            "verify --ledger {dir} --journal {dir}",
            "error: --ledger {dir}: is a folder\nerror: --journal {dir}: is a folder"
        )
        {
            ExitCode = 3,
        },
        new("ledger of another format", "consumer", "verify --ledger {dir}/x --journal {dir}/x", "error: {dir}/x: not a ledger of this program")
        {
            Files = Named("x", "{\"run\":{\"schema\":1}}\n"),
        },
        new("newer ledger", "consumer", "verify --ledger {dir}/x --journal {dir}/x", "error: {dir}/x: ledger version 7 is newer than this program (1)")
        {
            Files = Named("x", "{\"format\":\"eht-ledger\",\"version\":7}\n"),
        },
        new(
            "two promises",
            "consumer",
            "verify --ledger {dir}/x --journal {dir}/y --strategy baseline --promise key",
            "error: --promise: cannot be combined with --strategy, which has an ordering guarantee"
        ),
        new(
            "output over the evidence",
            "consumer",
            "verify --ledger {dir}/x --journal {dir}/y --output {dir}/x",
            "error: --output {dir}/x: is the file of --ledger"
        ),
        new(
            "topic without subscription",
            "consumer",
            "verify --ledger {dir}/x",
            "error: --subscription: not given, but 't' is a topic, whose messages are in its subscriptions"
        )
        {
            Settings = Changed(("SERVICEBUS_QUEUE", null), ("SERVICEBUS_TOPIC", "t")),
        },
    ];

    public static IEnumerable<BadInputRow> All =>
        [.. CommandLine, .. Environment, .. BadInputFiles.All, .. Emulator, .. Verification, .. BadInputComparisons.All];

    private static BadInputRow Setting(string name, string variable, string? value, string expected) =>
        new(name, "consumer", "--strategy=outloop", expected) { Settings = Changed((variable, value)) };

    private static BadInputRow Emulated(string name, string option, string content, string expected) =>
        new(name, "emulator", $"{option} {{dir}}/x.json", expected) { Files = Named("x.json", content) };
}
