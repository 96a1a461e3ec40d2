using System.Net;
using System.Text;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Telemetry.Logs;
using EventHubThroughput.Telemetry.Otlp;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

/// <summary>A consumer that another one starts uses its document, with any options, and reports what it cannot do.</summary>
public sealed class RunDocumentTests : IDisposable
{
    private static readonly Dictionary<string, string> Present = new(StringComparer.Ordinal)
    {
        ["EVENTHUB_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
        ["EVENTHUB_NAME"] = "hub",
        ["SERVICEBUS_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:5673;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
        ["SERVICEBUS_QUEUE"] = "queue",
        ["STORAGE_CONNECTION_STRING"] =
            "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1",
    };

    private static readonly RunOptions Everything = new()
    {
        Run = "one",
        RunIsNamed = true,
        Arguments = ["run"],
        Processing = new ProcessingOptions
        {
            Strategy = StrategyCatalog.Find("outloop"),
            AllowUnsafe = true,
            MaxConcurrency = 2,
            Seed = 5,
            BatchSize = 3,
            Prefetch = 4,
            Window = 10,
            ReplayLimit = 1100,
            Checkpoints = new CheckpointOptions { Events = 8, Interval = TimeSpan.FromMilliseconds(9) },
            OnPoison = PoisonPolicy.DeadLetter,
            Retries = 12,
            OperationLimit = TimeSpan.FromSeconds(21),
            DrainLimit = TimeSpan.FromMilliseconds(7),
            DeliveryLimit = TimeSpan.FromSeconds(20),
            Identifier = "owner",
            BalancingInterval = TimeSpan.FromMilliseconds(500),
            OwnershipExpiry = TimeSpan.FromMilliseconds(6001),
            Balancing = Balancing.Balanced,
            StartingPosition = StartingPosition.Latest,
            Fencing = true,
            AcceptGaps = true,
            Notice = static _ => { },
            LoggerFactory = NullLoggerFactory.Instance,
        },
        StrategyAssembly = "mine.dll",
        SinkAssembly = "my-sinks.dll",
        Writes = ["http=40ms"],
        Clients = AvailableComponents.GetFamily("builtin"),
        Work = new HandlerWork(TimeSpan.FromMicroseconds(14), TimeSpan.FromMilliseconds(15)),
        Load = new LoadOptions(1, 1, "none", BodySizes.Of([(1, 1)]), 0, null),
        Follow = true,
        Measuring = new MeasuringTimes(TimeSpan.FromSeconds(16), TimeSpan.FromSeconds(17)) { HopelessBelow = 22 },
        Emulator = new SharedEmulator(18, "article", 19),
        Outputs = new OutputOptions
        {
            Result = "output",
            Ledger = "ledger",
            Journal = "journal",
            Acknowledgements = "acknowledgements",
            Metrics = new MetricsOptions(IPAddress.Loopback, 23, TimeSpan.FromSeconds(24)) { Targets = "targets" },
            Otlp = new OtlpOptions(new Uri("http://127.0.0.1:4318"), OtlpSignals.Traces),
            Log = new LogChoice(LogLevel.Trace, Json: true, Frames: true),
        },
        KillAt = new KillOrder(KillPoint.BlobHalfSent, 13),
    };

    // The document that a process gives to the consumer that it starts. That consumer has no separate emulator.
    private static readonly RunOptions Given = Everything with { Load = null };

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("settings-");
    private readonly List<RunOptions> started = [];

    private string FilePath => Path.Combine(folder.FullName, "settings.json");

    [Fact]
    public async Task Every_option_arrives_as_it_was()
    {
        Assert.Empty(UnsetIn(Everything).Concat(UnsetIn(Everything.Processing)).Concat(UnsetIn(Everything.Outputs)));
        RunOptions[] all = [Given, (Given with { KillAt = default }).With(static processing => processing with { Fencing = false, Window = null })];

        foreach (var options in all)
        {
            Assert.Equal((0, ""), await RunAsync(RunDocument.Write(options)));
        }

        // Lists are equal to themselves alone. Command line and log are the process's own, and no code is in a document.
        Assert.All(started, static options => Assert.Empty(options.Processing.StrategyOptions));
        Assert.All(started, static options => Assert.Equal(SinkCatalog.All, options.Sinks));
        Assert.All(started, static options => Assert.Equal(Given.Writes!, options.Writes!));
        Assert.Equal(
            all.Select(static options => options.With(static processing => processing with { Notice = null, LoggerFactory = null })),
            started.Select(static options =>
                options.With(static processing => processing with { StrategyOptions = Given.Processing.StrategyOptions }) with
                {
                    Arguments = Given.Arguments,
                    Sinks = Given.Sinks,
                    Writes = Given.Writes,
                    Outputs = options.Outputs with { Log = Given.Outputs.Log },
                }
            )
        );

        static IEnumerable<string> UnsetIn(object part) =>
            part.GetType()
                .GetProperties()
                .Where(member => member.SetMethod is not null && member.GetValue(part) is null or 0 or false or "")
                .Select(static member => member.Name);
    }

    [Fact]
    public async Task Options_of_the_strategy_arrive_and_are_held_to_its_declaration()
    {
        var patient = Given.With(static processing =>
            processing with
            {
                StrategyOptions = new Dictionary<string, int>(StringComparer.Ordinal) { ["patience"] = 3 },
            }
        );

        var (code, error) = await RunAsync(RunDocument.Write(patient));

        Assert.Equal((2, $"error: --settings {FilePath}: StrategyOptions 'patience': not an option of the strategy\n"), (code, error));
    }

    [Fact]
    public async Task A_load_is_refused_beside_connection_settings() =>
        Assert.Equal(
            (2, $"error: --settings {FilePath}: load: only for embedded runs, but connection settings are set in the environment\n"),
            await RunAsync(RunDocument.Write(Everything))
        );

    [Fact]
    public void Neither_the_log_nor_arguments_are_in_the_document() =>
        Assert.Equal(
            RunDocument.Write(Everything),
            RunDocument.Write(Everything with { Arguments = [], Outputs = Everything.Outputs with { Log = LogChoice.Nothing } })
        );

    [Fact]
    public async Task Options_beside_the_document_are_refused_by_name() =>
        Assert.Equal(
            (2, "error: --settings: cannot be combined with --degree\nerror: --settings: cannot be combined with --output\n"),
            await RunAsync(RunDocument.Write(Given), "--degree=16", "--output=x")
        );

    [Fact]
    public async Task Without_connection_settings_it_is_refused()
    {
        var (code, error) = await RunAsync(RunDocument.Write(Given), [], embedded: true);

        Assert.Equal((2, "error: --settings: needs connection settings in the environment\n"), (code, error));
    }

    [Theory]
    [InlineData("\"degree\":2", "\"degree\":0", "MaxConcurrency 0: allowed 1 to 4096")]
    [InlineData("\"strategyAssembly\":\"mine.dll\",\"clients\":\"builtin\"", "\"clients\":\"zebra\"", "clients 'zebra' with checkpoint store 'own': unknown")]
    [InlineData("\"outloop\"", "\"zebra\"", "--strategy-assembly mine.dll: no such file")]
    [InlineData("\"builtin\"", "\"zebra\"", "clients 'zebra' with checkpoint store 'own': unknown")]
    [InlineData("\"builtin\"", "\"builtin/zebra\"", "clients 'builtin' with checkpoint store 'zebra': unknown")]
    [InlineData("\"blob\"", "\"zebra\"", "--sink-assembly my-sinks.dll: no such file")]
    [InlineData("\"degree\":2,", "", "not a settings document: *")]
    [InlineData("\"degree\":2", "\"degree\":\"many\"", "not a settings document: *")]
    [InlineData("\"degree\":2", "\"degre\":2", "not a settings document: *")]
    [InlineData("\"degree\":2", "\"degree\":2,\"degree\":3", "not a settings document: *")]
    [InlineData("{", "", "not a settings document: *")]
    public async Task An_impossible_document_is_reported_in_one_line(string right, string wrong, string expected)
    {
        var text = Encoding.UTF8.GetString(RunDocument.Write(Given));
        Assert.Contains(right, text, StringComparison.Ordinal);

        var (code, error) = await RunAsync(Encoding.UTF8.GetBytes(text.Replace(right, wrong, StringComparison.Ordinal)));

        Assert.Equal(2, code);
        Assert.StartsWith($"error: --settings {FilePath}: {expected.TrimEnd('*')}", error, StringComparison.Ordinal);
        Assert.Single(error.TrimEnd('\n').Split('\n'));
        Assert.Empty(started);
    }

    [Theory]
    [InlineData("\"degree\":2", "\"degre\":2", "The JSON property 'degre' could not be mapped .*, at line 1, column [0-9]+")]
    [InlineData("\"degree\":2", "\n\"degree\":true", "The JSON value could not be converted .*, at line 2, column [0-9]+")]
    public async Task A_wrong_member_is_reported_with_line_and_column(string right, string wrong, string expected)
    {
        var text = Encoding.UTF8.GetString(RunDocument.Write(Given)).Replace(right, wrong, StringComparison.Ordinal);

        var (_, error) = await RunAsync(Encoding.UTF8.GetBytes(text));

        Assert.Matches($"not a settings document: {expected}\n$", error);
    }

    [Fact]
    public async Task A_missing_document_is_reported_as_not_found()
    {
        var (code, error) = await RunAsync(null);

        Assert.Equal((2, $"error: --settings {FilePath}: not found\n"), (code, error));
    }

    public void Dispose() => folder.Delete(recursive: true);

    private Task<(int Code, string Error)> RunAsync(byte[]? document, params string[] arguments) => RunAsync(document, arguments, embedded: false);

    private async Task<(int Code, string Error)> RunAsync(byte[]? document, string[] arguments, bool embedded)
    {
        if (document is not null)
        {
            await File.WriteAllBytesAsync(FilePath, document, TestContext.Current.CancellationToken);
        }

        await using var error = new StringWriter();
        var console = new CommandConsole(TextWriter.Null, error, embedded ? static _ => null : Present.GetValueOrDefault);
        var command = ConsumerCommand.Create(
            console,
            (options, _, _) =>
            {
                started.Add(options);
                return Task.FromResult(0);
            }
        );
        var code = await CommandHost.RunAsync(command, ["run", "--settings", FilePath, .. arguments], console, TestContext.Current.CancellationToken);
        return (code, error.ToString());
    }
}
