using System.Net;
using System.Text;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

/// <summary>A consumer that another one starts does what that was told, whichever options there are, and says what it cannot do.</summary>
public sealed class RunSettingsTests : IDisposable
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

    private static readonly ConsumerOptions Everything = new()
    {
        Run = "one",
        RunIsNamed = true,
        Strategy = StrategyCatalog.Find("outloop"),
        StrategyAssembly = "mine.dll",
        SinkAssembly = "my-sinks.dll",
        AllowUnsafe = true,
        Clients = BuildOffer.FamilyOf("builtin"),
        Degree = 2,
        Batch = 3,
        Work = new HandlerWork(TimeSpan.FromMicroseconds(14), TimeSpan.FromMilliseconds(15)),
        Prefetch = 4,
        Identifier = "owner",
        Balancing = Balancing.Balanced,
        BalancingInterval = TimeSpan.FromMilliseconds(500),
        OwnershipExpiry = TimeSpan.FromMilliseconds(6001),
        Fencing = true,
        DrainLimit = TimeSpan.FromMilliseconds(7),
        DeliveryLimit = TimeSpan.FromSeconds(20),
        Checkpoints = new CheckpointOptions { Events = 8, Interval = TimeSpan.FromMilliseconds(9) },
        Window = 10,
        ReplayLimit = 1100,
        RetryLimit = 12,
        OnPoison = PoisonPolicy.DeadLetter,
        AcceptGap = true,
        Follow = true,
        Measuring = new MeasuringTimes(TimeSpan.FromSeconds(16), TimeSpan.FromSeconds(17)),
        Emulator = new SharedEmulator(18, "article", 19),
        Output = "output",
        Ledger = "ledger",
        Journal = "journal",
        KillAt = new KillOrder(KillPoint.BlobHalfSent, 13),
    };

    // What a consumer that is started so has not, or has from elsewhere.
    private static readonly string[] NotHandedOn =
    [
        nameof(ConsumerOptions.Embedded),
        nameof(ConsumerOptions.Log),
        nameof(ConsumerOptions.Metrics),
        nameof(ConsumerOptions.Otlp),
        nameof(ConsumerOptions.Sinks),
    ];

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("settings-");
    private readonly List<ConsumerOptions> started = [];

    private string FilePath => Path.Combine(folder.FullName, "settings.json");

    [Fact]
    public async Task Every_option_arrives_as_it_was()
    {
        var unset = typeof(ConsumerOptions)
            .GetProperties()
            .Where(member => member.SetMethod is not null && !NotHandedOn.Contains(member.Name, StringComparer.Ordinal))
            .Where(member => member.GetValue(Everything) is null or 0 or false or "")
            .Select(member => member.Name);
        Assert.Empty(unset);

        Assert.Equal((0, ""), await RunAsync(RunSettingsFile.Write(Everything)));
        Assert.Equal((0, ""), await RunAsync(RunSettingsFile.Write(Everything with { Fencing = false, KillAt = default, Window = null })));

        // Dictionaries and lists are equal to themselves alone; the command line is the child's own.
        Assert.All(started, static options => Assert.Empty(options.StrategyOptions));
        Assert.Equal(
            [Everything, Everything with { Fencing = false, KillAt = default, Window = null }],
            started.Select(static options => options with { StrategyOptions = Everything.StrategyOptions, Arguments = Everything.Arguments })
        );
    }

    [Fact]
    public async Task Options_of_the_strategy_arrive_and_are_held_to_its_declaration()
    {
        var patient = Everything with { StrategyOptions = new Dictionary<string, int>(StringComparer.Ordinal) { ["patience"] = 3 } };

        var (code, error) = await RunAsync(RunSettingsFile.Write(patient));

        Assert.Equal((2, $"error: --settings {FilePath}: StrategyOptions 'patience': the strategy has no such option\n"), (code, error));
    }

    [Fact]
    public void No_setting_of_a_service_is_in_the_document()
    {
        var embedded = Everything with
        {
            Embedded = new EmbeddedOptions(1, 1, "none", BodySizes.Of([(1, 1)]), 0, null),
            Metrics = new MetricsOptions(IPAddress.Loopback, 1, TimeSpan.Zero),
            Log = new LogChoice(LogLevel.Trace, Json: true, Frames: true),
        };

        Assert.Equal(RunSettingsFile.Write(Everything), RunSettingsFile.Write(embedded));
    }

    [Fact]
    public async Task Options_beside_the_document_are_refused_by_name() =>
        Assert.Equal(
            (2, "error: --settings: not together with --degree\nerror: --settings: not together with --output\n"),
            await RunAsync(RunSettingsFile.Write(Everything), "--degree=16", "--output=x")
        );

    [Fact]
    public async Task Without_connection_settings_it_is_refused()
    {
        var (code, error) = await RunAsync(RunSettingsFile.Write(Everything), [], embedded: true);

        Assert.Equal((2, "error: --settings: needs connection settings in the environment\n"), (code, error));
    }

    [Theory]
    [InlineData("\"degree\":2", "\"degree\":0", "Degree 0: allowed 1 to 4096")]
    [InlineData(
        "\"strategy\":\"outloop\",\"allowUnsafe\":true,\"strategyOptions\":{},\"strategyAssembly\":\"mine.dll\"",
        "\"strategy\":\"zebra\"",
        "strategy 'zebra': unknown"
    )]
    [InlineData("\"outloop\"", "\"zebra\"", "--strategy-assembly mine.dll: no such file")]
    [InlineData("\"builtin\"", "\"zebra\"", "clients 'zebra' with checkpoint store 'own': unknown")]
    [InlineData("\"checkpointStore\":\"own\"", "\"checkpointStore\":\"zebra\"", "clients 'builtin' with checkpoint store 'zebra': unknown")]
    [InlineData("\"degree\":2", "\"degree\":\"many\"", "not a settings document: *")]
    [InlineData("\"degree\":2", "\"degre\":2", "not a settings document: *")]
    [InlineData("\"degree\":2", "\"degree\":2,\"degree\":3", "not a settings document: *")]
    [InlineData("{", "", "not a settings document: *")]
    public async Task What_cannot_be_done_is_said_in_one_line(string right, string wrong, string expected)
    {
        var text = Encoding.UTF8.GetString(RunSettingsFile.Write(Everything));
        Assert.Contains(right, text, StringComparison.Ordinal);

        var (code, error) = await RunAsync(Encoding.UTF8.GetBytes(text.Replace(right, wrong, StringComparison.Ordinal)));

        Assert.Equal(2, code);
        Assert.StartsWith($"error: --settings {FilePath}: {expected.TrimEnd('*')}", error, StringComparison.Ordinal);
        Assert.Single(error.TrimEnd('\n').Split('\n'));
        Assert.Empty(started);
    }

    [Fact]
    public async Task A_document_that_is_not_there_is_said_to_be_missing()
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
