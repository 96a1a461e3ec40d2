using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Profiling;
using EventHubThroughput.Lab.Profiling;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Profiling;

public sealed class ProfileCommandTests : IDisposable
{
    private readonly List<ProbeChoice> probed = [];
    private Func<string, string?> environment = static _ => null;
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("profile-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public async Task The_measurements_of_a_run_are_read_as_a_profile()
    {
        var file = Save(
            Stage("servicebus", mean: 20, deviation: 10, median: 18.3),
            Stage("blob", mean: 8, deviation: 4, median: 7.155),
            Stage("checkpoint", mean: 25, deviation: 0, median: 25)
        );
        var mine = GetPath("mine.json");

        var (code, output, error) = await RunAsync("--from", file, "--name", "mine", "--output", mine);

        Assert.Equal(
            (
                0,
                $"profile 'mine' in {mine}: consumer compare --profile {mine}\n"
                    + $"writes of each event: consumer model --profile {mine} --write servicebus=20ms/10ms --write blob=8ms/4ms\n"
            ),
            (code, output)
        );
        Assert.Contains("note: the profile assumes that operations are served concurrently", error, StringComparison.Ordinal);
        var profile = ProfileReader.Of(mine);
        Assert.Equal("mine", profile.Name);
        Assert.Equal((20, 10, DrawShape.Gamma), Parts(profile.MessageSend));
        Assert.Equal((8, 4, DrawShape.Lognormal), Parts(profile.BlobWrite));
        Assert.Equal((25, 0), (profile.CheckpointWrite.MeanMilliseconds, profile.CheckpointWrite.DeviationMilliseconds));
        Assert.Equal((0, "", ""), Blank(await RunAsync("--from", file, "--output", mine)));
    }

    [Fact]
    public async Task The_writes_of_a_handler_are_described_for_the_model()
    {
        var file = Save(WithoutMessageAndBlob, Stage("http", 40.213, 0.4, 40.2), Stage("sql", 8.1, 2, 7.9), Stage("Odd_Name", 8.1, 2, 7.9));
        var mine = GetPath("mine.json");

        var (code, output, error) = await RunAsync("--from", file, "--output", mine);

        Assert.Equal((0, $"consumer model --profile {mine} --write http=40.213ms/0.4ms --write sql=8.1ms/2ms"), (code, output.Trim().Split(": ")[^1]));
        Assert.Contains("A run does not show how many writes a service takes concurrently", error, StringComparison.Ordinal);
        var writes = DescribedWriteReader.Read("--write", ["http=40.213ms/0.4ms", "sql=8.1ms/2ms"]);
        Assert.Equal(["http=40.213ms/0.4ms", "sql=8.1ms/2ms"], writes.Select(static write => write.ToString()));
        Assert.True(ProfileReader.Of(mine).MessageSend.IsZero);
        Assert.False(ProfileReader.Of(mine).CheckpointWrite.IsZero);
    }

    [Fact]
    public async Task Profile_is_printed_without_a_file_name()
    {
        var (code, output, _) = await RunAsync("--from", Save());

        Assert.Equal(0, code);
        Assert.StartsWith("{\n  \"name\": \"measured\",\n  \"messageSend\": {", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Receiving_is_part_of_it_where_nothing_was_requested_ahead()
    {
        var mine = GetPath("mine.json");
        await RunAsync("--from", Save(Stage("receive", mean: 8, deviation: 1, median: 8)), "--output", mine);
        Assert.Equal(8, ProfileReader.Of(mine).EventReceive.MeanMilliseconds);

        await RunAsync("--from", Save(run => run with { Strategy = run.Strategy with { Prefetch = 300 } }), "--output", mine);
        Assert.True(ProfileReader.Of(mine).EventReceive.IsZero);
    }

    [Fact]
    public async Task A_run_with_several_in_flight_gets_a_note_that_waiting_is_measured_as_well()
    {
        var (_, _, error) = await RunAsync("--from", Save());

        Assert.Contains("note: up to 10 events were in flight, so these latencies include waiting", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_stage_that_was_measured_too_rarely_is_refused()
    {
        var file = Save(Stage("blob", mean: 8, deviation: 1, median: 8, count: 49), Stage("checkpoint", mean: 8, deviation: 1, median: 8, count: 0));

        Assert.Equal(
            (
                2,
                "",
                $"error: --from {file}: stage 'blob' was measured 49 times, 50 are needed\nerror: --from {file}: stage 'checkpoint' was measured 0 times, 50 are needed\n"
            ),
            await RunAsync("--from", file)
        );
    }

    [Fact]
    public async Task Files_that_are_none_are_refused()
    {
        var none = GetPath("none.json");
        Assert.Equal((2, "", $"error: --from {none}: not found\n"), await RunAsync("--from", none));
        await File.WriteAllTextAsync(none, "{}", TestContext.Current.CancellationToken);
        Assert.Equal((2, "", $"error: --from {none}: not the result of a run, or incomplete\n"), await RunAsync("--from", none));
        var file = Save();
        Assert.Equal((2, "", "error: --output mine.txt: the name of a profile must end in .json\n"), await RunAsync("--from", file, "--output", "mine.txt"));
        Assert.Contains("exists and is not a profile of this program", (await RunAsync("--from", file, "--output", none)).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_namespace_is_probed_in_place_of_a_run()
    {
        environment = Namespace;
        var mine = GetPath("mine.json");

        var (code, output, error) = await RunAsync("--probes=60", "--name=mine", "--size=7", "--output", mine);

        Assert.Equal((0, $"profile 'mine' in {mine}: consumer compare --profile {mine}\n", "note: probed\n"), (code, output, error));
        Assert.Equal(12, ProfileReader.Of(mine).BlobWrite.MeanMilliseconds);
        Assert.Equal([new ProbeChoice("mine", 60, 7)], probed);
    }

    [Theory]
    [InlineData("", "error: profile: no source. Add --from FILE for the result of a run, or --probes N to measure the namespace of the environment\n")]
    [InlineData("--from=x.json --probes=60", "error: --from: cannot be combined with --probes\n")]
    [InlineData("--probes=49", "error: --probes 49: out of range, allowed 50 to 10000\n")]
    [InlineData("--from=x.json --size=9", "error: --size: only with --probes\n")]
    public async Task A_profile_that_cannot_be_probed_is_refused_with_the_reason(string arguments, string expected)
    {
        environment = Namespace;

        Assert.Equal((2, "", expected), await RunAsync(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
        Assert.Empty(probed);
    }

    [Fact]
    public async Task No_namespace_is_nothing_to_probe() =>
        Assert.Equal((2, "", "error: --probes: no connection settings are set in the environment\n"), await RunAsync("--probes=60"));

    private static string? Namespace(string name) =>
        name switch
        {
            "EVENTHUB_CONNECTION_STRING" => "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
            "EVENTHUB_NAME" => "hub",
            "SERVICEBUS_CONNECTION_STRING" => "Endpoint=sb://127.0.0.1:5673;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
            "SERVICEBUS_QUEUE" => "queue",
            "STORAGE_CONNECTION_STRING" =>
                "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1",
            _ => null,
        };

    private static (int, string, string) Blank((int Code, string Output, string Error) ran) => (ran.Code, "", "");

    private static (double, double, DrawShape) Parts(LatencyLaw law) => (law.MeanMilliseconds, law.DeviationMilliseconds, law.Shape);

    private static Func<RunResult, RunResult> Stage(string name, double mean, double deviation, double median, long count = 500) =>
        run =>
            run with
            {
                Stages = new Dictionary<string, StageFigures>(run.Stages)
                {
                    [name] = new StageFigures
                    {
                        Count = count,
                        MeanMs = mean,
                        SdMs = deviation,
                        P50Ms = median,
                    },
                },
            };

    private static RunResult WithoutMessageAndBlob(RunResult run) =>
        run with
        {
            Stages = run.Stages.Where(static stage => stage.Key is not ("servicebus" or "blob")).ToDictionary(),
        };

    private string GetPath(string name) => Path.Combine(folder.FullName, name);

    private string Save(params Func<RunResult, RunResult>[] changes)
    {
        var run = ResultDocument.Of(Reports.Of("combined"), "1.2.3");
        var file = GetPath($"{Guid.NewGuid():n}.json");
        File.WriteAllBytes(file, ResultJson.Write(changes.Aggregate(run, static (changed, change) => change(changed))));
        return file;
    }

    private async Task<(int Code, string Output, string Error)> RunAsync(params string[] arguments)
    {
        await using var output = new StringWriter();
        await using var error = new StringWriter();
        var console = new CommandConsole(output, error, environment);
        var root = new RootCommand("test");
        root.Subcommands.Add(
            ProfileCommand.Create(
                console,
                (choice, _, _) =>
                {
                    probed.Add(choice);
                    var law = new LatencyLaw { MeanMilliseconds = 12 };
                    return Task.FromResult(new MeasuredProfile(new LatencyProfile(choice.Name).With(EmulatedOperation.BlobWrite, law), ["probed"]));
                }
            )
        );
        var code = await CommandHost.RunAsync(root, ["profile", .. arguments], console, TestContext.Current.CancellationToken);
        return (code, output.ToString(), error.ToString());
    }
}
