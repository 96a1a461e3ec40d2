using static EventHubThroughput.EndToEnd.Tests.BadInputRow;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The table of bad input for compare, sweep and profile, which nothing is started for.</summary>
internal static class BadInputComparisons
{
    private const string OfCompare = "{\"comparison\":{\"schema\":1,\"id\":\"compare-1\"";

    public static IReadOnlyList<BadInputRow> All { get; } =
    [
        new(
            "compare: unknown strategy",
            "consumer",
            "compare --strategies=baseline,pipelind",
            "error: --strategies 'pipelind': --strategy 'pipelind': unknown, did you mean 'pipelined'? Known: baseline*"
        ),
        new(
            "compare: an interval of one block",
            "consumer",
            "compare --fail-if \"combined.rate < 0.95 * baseline.rate\"",
            "error: --fail-if: needs an interval, which requires --repeats 5 or more, not 1"
        ),
        new(
            "compare: held against an earlier one by one block",
            "consumer",
            "compare --against {dir}/none.json",
            """
            error: --against: needs an interval, which requires --repeats 5 or more, not 1
            error: --against {dir}/none.json: not found
            """
        ),
        new(
            "compare: load and rate contradict each other",
            "consumer",
            "compare --rate 100/s --events 900",
            "error: --events: cannot be combined with --rate, which sends during the whole measurement"
        ),
        new(
            "compare: more beside what is gone on with",
            "consumer",
            "compare --resume {dir}/r.json --seed 3",
            "error: --resume: cannot be combined with --seed, which the file contains"
        ),
        new("compare: what is gone on with is not there", "consumer", "compare --resume {dir}/r.json", "error: --resume {dir}/r.json: not found"),
        new("compare: what is gone on with is a folder", "consumer", "compare --resume {dir}", "error: --resume {dir}: is a folder"),
        Read("compare: a result of another version", "compare", "{\"comparison\":{\"schema\":2}}", "schema 2, this program reads 1"),
        Read("compare: a torn result", "compare", OfCompare, "incomplete, or not a result of compare: *"),
        Read("compare: a result of something else", "compare", "{\"run\":{\"schema\":1}}", "not a result of compare"),
        Read("compare: a result that lacks everything", "compare", OfCompare + "}}", "incomplete, or not a result of compare: *"),
        Read("sweep: a torn result", "sweep", OfCompare, "incomplete, or not a result of compare: *"),
        new(
            "compare: report in no folder",
            "consumer",
            "compare --report {dir}/none/r.html",
            "error: --report {dir}/none/r.html: cannot be written: folder {dir}/none does not exist"
        )
        {
            ExitCode = 5,
        },
        new("compare: report is a folder", "consumer", "compare --report {dir}/r.html", "error: --report {dir}/r.html: is a folder")
        {
            ExitCode = 5,
            Files = Named("r.html/", ""),
        },
        new(
            "compare: data in no folder",
            "consumer",
            "compare --output {dir}/none/r.json",
            "error: --output {dir}/none/r.json: cannot be written: folder {dir}/none does not exist"
        )
        {
            ExitCode = 5,
        },
        new(
            "compare: report and data in one file",
            "consumer",
            "compare --output {dir}/r.md --report {dir}/r.md",
            "error: --output {dir}/r.md: is the file of --report"
        ),
        new(
            "compare: scenario that is not there",
            "consumer",
            "compare --scenario {dir}/none.json",
            "error: --scenario '{dir}/none.json': not found, allowed a file, as docs/compare.md describes it"
        ),
        new(
            "compare: scenario of sweep",
            "consumer",
            "compare --scenario servicebus-processor",
            "error: --scenario 'servicebus-processor': not found, allowed a file, and 'servicebus-processor' is a scenario of sweep"
        ),
        new(
            "sweep: scenario mistyped",
            "consumer",
            "sweep --scenario servicebus-procesor",
            "error: --scenario 'servicebus-procesor': not found, allowed a file, or by its name servicebus-processor: did you mean that?"
        ),
        Scenario("an option that there is not", "{ \"strategis\": [\"baseline\"] }", "error: {dir}/s.json*"),
        Scenario(
            "a strategy that there is not",
            "{ \"strategies\": [\"baseline\", \"zebra\"] }",
            "error: --scenario {dir}/s.json: --strategies 'zebra': --strategy 'zebra': unknown. Known: baseline*"
        ),
        Scenario(
            "a profile that there is not",
            "{ \"profile\": \"fast\" }",
            "error: --scenario {dir}/s.json: --profile 'fast': unknown. Known: none, article*"
        ),
        Scenario(
            "limits that contradict each other",
            "{ \"strategies\": [\"combined\", \"pipelined:window=8\"] }",
            "error: --scenario {dir}/s.json: --strategies 'pipelined:window=8': --window 8: smaller than --degree 64"
        ),
        new(
            "sweep: more processors than there are",
            "consumer",
            "sweep --scenario servicebus-processor --cores 4096",
            "error: --cores '4096': out of range, allowed 1 to *"
        ),
        new(
            "sweep: more memory than there is",
            "consumer",
            "sweep --scenario servicebus-processor --memory 1024",
            "error: --memory '1024': out of range, allowed 1 to *"
        ),
        new(
            "profile: of nothing",
            "consumer",
            "profile",
            "error: profile: no source. Add --from FILE for the result of a run, or --probes N to measure the namespace of the environment"
        ),
        .. IrregularFiles,
        new(
            "compare: a binary file in place of a result",
            "consumer",
            "compare --resume {dir}/r.json",
            "error: --resume {dir}/r.json: incomplete, or not a result of compare: not valid JSON, error at line 1, column 1"
        )
        {
            Files = Named("r.json", "\u007fELF\u0001\u0002\u001b]0;title\u0007"),
        },
        new("profile: result is not there", "consumer", "profile --from {dir}/r.json", "error: --from {dir}/r.json: not found"),
    ];

    // Each option that names a file to be read: a device without an end, and a pipe without a writer.
    private static IEnumerable<BadInputRow> IrregularFiles =>
        from option in (string[])
            [
                "compare --resume {file}",
                "sweep --resume {file}",
                "sweep --scenario servicebus-processor --resume {file}",
                "compare --repeats 5 --against {file}",
                "profile --from {file}",
                "--strategy-assembly {file}",
                "compare --sink-assembly {file}",
                "--input {file}",
                "compare --scenario {file}",
                "compare --profile {file}",
                "model --profile {file}",
                "verify --journal {dir}/none --ledger {file}",
            ]
        from kind in (string[])["device", "pipe"]
        let file = kind == "device" ? "/dev/zero" : "{dir}/pipe.json"
        let words = option.Split(' ')
        select new BadInputRow(
            $"{option}, a {kind}",
            "consumer",
            option.Replace("{file}", file, StringComparison.Ordinal),
            $"error: {(words[^2] == "--scenario" ? "" : $"{words[^2]} ")}{file}: is a {kind}, name a regular file*"
        )
        {
            Files = kind == "pipe" ? Named("pipe.json|", "") : new Dictionary<string, string>(StringComparer.Ordinal),
        };

    private static BadInputRow Read(string name, string command, string content, string expected) =>
        new(name, "consumer", $"{command} --resume {{dir}}/r.json", $"error: --resume {{dir}}/r.json: {expected}") { Files = Named("r.json", content) };

    private static BadInputRow Scenario(string what, string content, string expected) =>
        new($"compare: scenario with {what}", "consumer", "compare --scenario {dir}/s.json", expected) { Files = Named("s.json", content) };
}
