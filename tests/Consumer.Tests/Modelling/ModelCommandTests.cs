using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Modelling;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Modelling;

public sealed class ModelCommandTests
{
    // Of each row its columns. Labels of unsafe strategies have a blank.
    private const int NameWidth = 18;

    [Fact]
    public async Task Lists_every_strategy_of_the_catalogue_in_its_order()
    {
        var (code, lines, error) = await RunAsync("--events=2000");

        Assert.Equal((0, ""), (code, error));
        Assert.Equal("model       profile article-spread, 1 partition", lines[0]);
        Assert.Equal("settings    batch 10, degree 64, prefetch 300", lines[1]);
        Assert.Equal(["strategy", "events/s", "x", "base", "p50", "ms", "p99", "ms", "flight", "order", "repeats"], GetWords(lines[3]));
        Assert.Equal(
            StrategyCatalog.All.Select(static strategy => strategy.Label),
            lines.Skip(4).Take(StrategyCatalog.All.Count).Select(static line => line[..NameWidth].TrimEnd())
        );
        Assert.All(lines.Skip(4).Take(StrategyCatalog.All.Count), static line => Assert.Equal(7, GetWords(line[NameWidth..]).Length));
        Assert.Contains("simulated   the others, 2000 events each, seed 1", lines);
    }

    [Fact]
    public async Task Shows_the_closed_form_where_one_is_exact()
    {
        var (_, lines, _) = await RunAsync("--profile=article", "--degree=16");

        Assert.Equal("settings    batch 10, degree 16, prefetch 0", lines[1]);
        Assert.Equal(["32.5", "1.00"], GetRate(lines, "baseline"));
        Assert.Equal(["111.0", "3.42"], GetRate(lines, "outloop"));
        Assert.Equal(["123.8", "3.81"], GetRate(lines, "whenall (unsafe)"));
        Assert.Equal(["301.2", "9.28"], GetRate(lines, "pipelined"));
        Assert.Contains("form        baseline, functions: B / (T + C + L), T = B (S + b)", lines);
        Assert.Contains("simulated   adaptive: as pipelined with d = 6, the best degree that it can find", lines);
    }

    [Fact]
    public async Task Shows_one_strategy_with_its_own_options_order_and_what_a_crash_repeats()
    {
        var (_, lines, _) = await RunAsync("--strategy=functions", "--profile=article-constant", "--checkpoint-batches=5", "--batch=20");

        Assert.Equal("functions (unsafe)      35.6    1.04    27.9     27.9     1.0 partition     100", lines[4]);
        Assert.Equal("form        functions: B / (T + C / F), T = B (S + b)", lines[5]);
        Assert.Equal(8, lines.Length);
    }

    [Theory]
    [InlineData("article")]
    [InlineData("article-spread", "--batch=300", "--degree=64", "--keys=1000", "--skew=1.2")]
    [InlineData("azure-premium", "--batch=1000", "--degree=1024", "--window=1000000", "--partitions=8", "--events=1000")]
    [InlineData("article-spread", "--batch=10000", "--degree=4096")]
    [InlineData("none")]
    public async Task The_table_of_the_model_fits_a_terminal_and_separates_its_columns(string profile, params string[] further)
    {
        var (_, lines, _) = await RunAsync([$"--profile={profile}", .. further]);

        Assert.All(lines.Skip(4).Take(StrategyCatalog.All.Count), static line => Assert.Equal(7, GetWords(line[NameWidth..]).Length));
        Assert.All(lines.Take(4 + StrategyCatalog.All.Count), static line => Assert.InRange(line.Length, 1, 80));
    }

    [Fact]
    public async Task The_same_seed_gives_the_same_prediction_and_another_seed_nearly_the_same()
    {
        var first = await RunAsync("--strategy=combined", "--events=2000", "--seed=7");
        var again = await RunAsync("--strategy=combined", "--events=2000", "--seed=7");
        var other = await RunAsync("--strategy=combined", "--events=2000", "--seed=8");

        Assert.Equal(first.Lines, again.Lines);
        Assert.NotEqual(first.Lines[4], other.Lines[4]);
        Assert.Equal(Rate(first.Lines), Rate(other.Lines), 0.1 * Rate(first.Lines));

        static double Rate(string[] lines) => double.Parse(GetRate(lines, "combined")[0], System.Globalization.CultureInfo.InvariantCulture);
    }

    [Fact]
    public async Task The_model_gives_a_reason_where_it_predicts_no_rate()
    {
        var (code, lines, _) = await RunAsync("--profile=none", "--strategy=keyed");

        Assert.Equal(0, code);
        Assert.Equal(["-", "-", "-", "-", "-", "key", "3024"], GetWords(lines[4][NameWidth..]));
        Assert.Equal("-           profile 'none' has no latency, and the model includes no processor time except that of a handler's work", lines[5]);
    }

    [Fact]
    public async Task Names_a_strategy_that_it_does_not_know()
    {
        var (_, lines, _) = await RunAsync(AvailableComponents.With([Reports.ContinuesAcrossBatches]), "--strategy=goeson");

        Assert.Equal("-           the model does not include strategy 'goeson'", lines[5]);
    }

    [Fact]
    public async Task Names_all_that_is_wrong_with_the_options()
    {
        var (code, lines, error) = await RunAsync("--strategy=combind", "--degree=0", "--profile=artcle", "--window=8", "--batch-linger=5000");

        Assert.Equal(2, code);
        Assert.Empty(lines);
        Assert.Contains("error: --strategy 'combind': unknown, did you mean 'combined'? Known: all, baseline,", error, StringComparison.Ordinal);
        Assert.Contains("error: --degree 0: out of range, allowed 1 to 4096", error, StringComparison.Ordinal);
        Assert.Contains("error: --batch-linger 5000: out of range, allowed 0 to 1000", error, StringComparison.Ordinal);
        Assert.Contains("error: --profile 'artcle': unknown, did you mean 'article'? Known: none, article,", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--window=8", "--window 8: smaller than --degree 64")]
    [InlineData("--replay-limit=9", "--replay-limit 9: smaller than window + checkpoint events (10)")]
    [InlineData("--profile=no/such/file.json", "--profile no/such/file.json: not found")]
    public async Task Refuses_what_a_run_would_refuse(string option, string problem)
    {
        var (code, _, error) = await RunAsync(option);

        Assert.Equal(2, code);
        Assert.StartsWith("error: ", error, StringComparison.Ordinal);
        Assert.Contains(problem.Split(':')[^1], error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Described_writes_take_the_place_of_message_and_blob()
    {
        var (code, lines, _) = await RunAsync("--write=http=40ms", "--write=sql=8ms:concurrency=20", "--strategy=pipelined", "--degree=16", "--events=2000");

        Assert.Equal(0, code);
        Assert.Equal("writes      http=40ms, sql=8ms:concurrency=20, in place of message and blob", lines[1]);
        Assert.InRange(double.Parse(GetRate(lines, "pipelined")[0], System.Globalization.CultureInfo.InvariantCulture), 380, 400);
    }

    [Fact]
    public async Task A_recommendation_is_the_first_sentence_and_the_table_has_its_degree()
    {
        var (code, lines, error) = await RunAsync("--write=http=40ms", "--write=sql=8ms", "--order=key", "--need=600/s", "--events=4000");

        Assert.Equal((0, ""), (code, error));
        Assert.Matches(
            "^Use keyed, degree 2[45], window [0-9]+, batch 10: 6[0-9]{2}.[0-9] events/s, p99 40.0 ms, at most [0-9]+ events redelivered after a crash.$",
            lines[0]
        );
        Assert.Contains("model       profile article-spread, 1 partition, 1000 keys", lines);
        Assert.Contains(lines, static line => line.StartsWith("settings    batch 10, degree 2", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_recommendation_is_in_the_result_too()
    {
        string[] arguments = ["--write=http=40ms", "--order=key", "--need=600/s", "--events=4000"];
        var (_, lines, _) = await RunAsync(arguments);

        var recommended = (await WriteAsync(arguments)).Recommended!;

        Assert.Equal(
            (lines[0], 600, "key", "keyed", true),
            (recommended.Sentence, recommended.NeedPerS, recommended.Order, recommended.Strategy, recommended.Reached)
        );
        Assert.InRange(recommended.EventsPerS, 600, 660);
        Assert.Contains($"--degree {recommended.Degree} --window {recommended.Window} ", recommended.Options, StringComparison.Ordinal);
        Assert.All(recommended.Code, line => Assert.Contains(lines, shown => shown.EndsWith(line, StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_need_without_a_predicted_rate_gets_a_reason()
    {
        var (code, lines, _) = await RunAsync("--profile=none", "--need=600/s");

        Assert.Equal(0, code);
        Assert.StartsWith("No recommendation: profile 'none' has no latency", lines[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--order=key", "--order: only with --need")]
    [InlineData("--need=600/s,700/s@3s", "--need: 2 rates, allowed is one")]
    [InlineData("--need=0/s", "--need 0/s: out of range, allowed 0.001/s to 1000000/s")]
    [InlineData("--need=6/s --degree=4", "--need: chooses strategy, degree and window, so it cannot be combined with --degree")]
    [InlineData("--need=6/s --strategy=keyed", "--need: chooses strategy, degree and window, so it cannot be combined with --strategy")]
    public async Task A_need_that_cannot_be_met_by_a_choice_is_refused(string line, string problem)
    {
        var (code, _, error) = await RunAsync(line.Split(' '));

        Assert.Equal((2, $"error: {problem}"), (code, error.TrimEnd()));
    }

    [Fact]
    public async Task Names_all_that_is_wrong_with_the_writes()
    {
        var (code, _, error) = await RunAsync("--write=http=0ms", "--write=sql=8ms:rate=3");

        Assert.Equal(2, code);
        Assert.Contains("error: --write 'http=0ms': mean 0ms out of range, allowed 0.01ms to 10m", error, StringComparison.Ordinal);
        Assert.Contains("error: --write 'sql=8ms:rate=3': 'rate=3' is unknown, allowed concurrency=N and quota=N/s", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Writes_it_as_a_result_file()
    {
        var result = await WriteAsync("--profile=article", "--keys=64");

        Assert.Equal(
            (1, ResultKind.Model, "article", 64, 0),
            (result.Run.Schema, result.Run.Kind, result.Input.Profile, result.Input.Keys, result.Input.Prefetch)
        );
        Assert.Equal(StrategyCatalog.Names, result.Strategies.Select(static strategy => strategy.Name));
        var keyed = result.Strategies.Single(static strategy => strategy.Name == "keyed");
        Assert.Equal(("key", "simulated", 3024, false), (keyed.Order, keyed.Form, keyed.ReplayLimit, keyed.Unsafe));
        Assert.InRange(keyed.EventsPerS!.Value, 280, 302);
        Assert.InRange(keyed.LargestReplay!.Value, 1, 3024);
        Assert.True(keyed.SinceHandOver!.MeanMs > keyed.Event!.MeanMs);
    }

    private static async Task<ModelResult> WriteAsync(params string[] arguments)
    {
        var folder = Directory.CreateTempSubdirectory("eht-");
        try
        {
            var file = Path.Combine(folder.FullName, "model.json");
            Assert.Equal(0, (await RunAsync([.. arguments, $"--output={file}"])).Code);
            return ResultJson.Read<ModelResult>(await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static string[] GetRate(string[] lines, string label) =>
        GetWords(lines.Single(line => line.Length > NameWidth && line[..NameWidth].TrimEnd() == label)[NameWidth..])[..2];

    private static string[] GetWords(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    private static Task<(int Code, string[] Lines, string Error)> RunAsync(params string[] arguments) => RunAsync(AvailableComponents.Current, arguments);

    private static async Task<(int Code, string[] Lines, string Error)> RunAsync(AvailableComponents components, params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var console = new CommandConsole(output, error, static _ => null);
        var root = new RootCommand("Test.") { ModelCommand.Create(console, components) };
        var code = await CommandHost.RunAsync(root, ["model", .. arguments], console, TestContext.Current.CancellationToken);
        return (code, output.ToString().ReplaceLineEndings("\n").Split('\n', StringSplitOptions.RemoveEmptyEntries), error.ToString());
    }
}
