using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Sender.Input;
using EventHubThroughput.Sender.Sending;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Telemetry.Otlp;
using EventHubThroughput.Workload;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Sender;

/// <summary>The command of the sender: its options and the run that they describe.</summary>
internal sealed class SenderCommand
{
    private const int UsualSize = 1024;
    private const string Batched = "batched";
    private const string Buffered = "buffered";
    private const string Sentences = "text";
    private const string Json = "json";

    private readonly Option<long> count = Options.Long("--count", "Events to generate", 1000, 1, 1_000_000_000_000);
    private readonly Option<IReadOnlyList<(double PerSecond, TimeSpan From)>?> rate = Options.OptionalRates(
        "--rate",
        "Events per second in an open loop, with later rates as in 100/s,500/s@30s, default as fast as possible",
        0.001,
        10_000_000
    );

    private readonly Option<IReadOnlyList<(int Size, int Weight)>?> size = Options.OptionalSizes(
        "--size",
        "Bytes of a generated body, default 1024. Several sizes with weights as in 64:90,4096:10",
        0,
        InputProblems.Limit
    );

    private readonly Option<int> keys = Options.Integer("--keys", "Number of partition keys. 0: events without a key", 0, 0, KeyDistribution.MostKeys);
    private readonly Option<double> skew = Options.Number("--skew", "Zipf exponent of the keys. 0: all equally frequent", 0, 0, 10);
    private readonly Option<long> seed = Options.Long("--seed", "Seed of bodies and keys", 1, 0, long.MaxValue);
    private readonly Option<string?> input = Options.Text(
        "--input",
        "File of events to replay: JSON Lines (.jsonl, .ndjson), a JSON array (.json) or CSV (.csv), each also with .gz",
        "FILE"
    );
    private readonly Option<string?> keyField = Options.Text(
        "--key-field",
        "Field of the input that is the partition key, also of inner objects, as in device.id",
        "NAME"
    );
    private readonly Option<string?> ledger = Options.Text("--ledger", "Write the ledger to this file: the outcome of every event", "FILE");
    private readonly Option<string?> run = Options.Text("--run", "Name of the run on every event, default a new one", "ID");
    private readonly Option<int> batch = Options.Integer("--batch", "Maximum events in one send", 100, 1, 4500);
    private readonly Option<string?> partition = Options.Text("--partition", "Send all events to this partition. Default: keys or the hub decide", "ID");
    private readonly Option<string> family = Options.Choice(
        "--clients",
        "The clients: the official Azure packages, or the smaller built-in ones",
        ClientFamilies.All[0].Name,
        [.. ClientFamilies.All.Select(static known => known.Name)]
    );

    private readonly Option<string> producer = Options.Choice(
        "--producer",
        "What makes the batches: the sender, or the buffer of the client",
        Batched,
        [Batched, Buffered]
    );

    private readonly Option<int?> metricsPort = Options.OptionalInteger(
        "--metrics-port",
        "Serve /metrics on this port of 127.0.0.1, 0 for any free one, default no metrics",
        0,
        65_535
    );

    private readonly Option<string?> metricsTargets = Options.Text(
        "--metrics-targets",
        "Folder in which Prometheus finds this target (file_sd), default a common folder among the temporary files",
        "DIR"
    );

    private readonly Option<string> summary = Options.Choice(
        "--summary",
        "Format of the summary on standard output: text, or one line of JSON with all figures",
        Sentences,
        [Sentences, Json]
    );

    private readonly Option<bool> quiet = Options.Flag("--quiet", "No progress on standard error");
    private readonly Option<bool> settingsFromInput = Options.Flag(
        "--settings-from-input",
        "Read the connection settings as a line of JSON from standard input"
    );

    /// <summary>Creates the command. Every dependency is passed in.</summary>
    public static RootCommand Create(
        CommandConsole console,
        Func<ClientFamily, MessagingSettings, ILoggerFactory, IMessagingClients> connect,
        Func<ISendProgress> progress,
        TimeProvider timeProvider,
        Func<string?> readInput
    ) => new SenderCommand().Build(console, connect, progress, timeProvider, readInput);

    private RootCommand Build(
        CommandConsole console,
        Func<ClientFamily, MessagingSettings, ILoggerFactory, IMessagingClients> connect,
        Func<ISendProgress> progress,
        TimeProvider timeProvider,
        Func<string?> readInput
    )
    {
        // For the consumer: it starts a sender next to the emulator and sends it the address later.
        settingsFromInput.Hidden = true;
        var command = new RootCommand("Sends events to an event hub: generated events, or those of a file.");
        Option[] options =
        [
            count,
            rate,
            size,
            keys,
            skew,
            seed,
            input,
            keyField,
            ledger,
            run,
            batch,
            partition,
            family,
            producer,
            metricsPort,
            metricsTargets,
            summary,
            quiet,
            settingsFromInput,
        ];
        Array.ForEach(options, command.Options.Add);
        var otlp = new OtlpArguments();
        Array.ForEach([.. otlp.All], command.Options.Add);
        otlp.AddChecksTo(command);
        var log = new LogOptions(console.Environment);
        log.AddTo(command);
        foreach (var generatedOnly in new Option[] { count, size, keys, skew, seed })
        {
            command.Check(result =>
                result.GetResult(generatedOnly) is { Implicit: false } && result.GetValue(input) is not null
                    ? $"{generatedOnly.Name}: for generated events only, not with --input"
                    : null
            );
        }

        command.Check(result =>
            result.GetValue(metricsTargets) is not null && result.GetValue(metricsPort) is null ? $"{metricsTargets.Name}: only with {metricsPort.Name}" : null
        );
        command.Check(result => result.GetValue(keyField) is not null && result.GetValue(input) is null ? "--key-field: only with --input" : null);
        command.Check(result =>
            result.GetValue(producer) == Buffered && result.GetResult(batch) is { Implicit: false }
                ? $"--batch: not with --producer {Buffered}, which makes the batches"
                : null
        );
        command.Check(result =>
            result.GetValue(partition) is not null && result.GetValue(producer) == Buffered ? $"{partition.Name}: not with --producer {Buffered}" : null
        );
        command.Check(result =>
            result.GetValue(partition) is null ? null
            : result.GetValue(keys) > 0 ? KeyProblem(keys)
            : result.GetValue(keyField) is not null ? KeyProblem(keyField)
            : null
        );

        command.Check(result => result.GetValue(run) is { } id && RunName.GetProblem(id) is { } problem ? $"{run.Name} '{id}': {problem}" : null);
        command.CheckAll(result =>
            new NamedFiles().Reads(input.Name, result.GetValue(input)).Writes(ledger.Name, result.GetValue(ledger), OutputKind.Ledger).Problems()
        );
        command.SetAction(
            async (result, cancellationToken) =>
            {
                var settings = result.GetValue(settingsFromInput)
                    ? await SettingsInput.ReadAsync(readInput, settingsFromInput.Name, console.Environment, cancellationToken)
                    : console.Environment;
                var chosen = ClientFamilies.All.Single(known => known.Name == result.GetValue(family));
                var sender = new SenderRun(console, chosen, connect, log.Read(result), result.GetValue(quiet) ? null : progress(), timeProvider)
                {
                    Settings = settings,
                    PrintsJson = result.GetValue(summary) == Json,
                    Otlp = otlp.Read(result.CommandResult),
                    Metrics = result.GetValue(metricsPort) is { } port
                        ? new SendMetricsOptions(port, result.GetValue(metricsTargets) ?? TargetList.UsualFolder)
                        : null,
                };
                var send = new SendOptions
                {
                    // The default is a name that no other run has.
                    Run = result.GetValue(run) ?? $"run-{Guid.NewGuid().ToString("N")[..12]}",
                    Rates = result.GetValue(rate),
                    Batch = result.GetValue(batch),
                    Partition = result.GetValue(partition),
                    IsBuffered = result.GetValue(producer) == Buffered,
                };
                return await sender.RunAsync(() => GetSource(result), send, result.GetValue(ledger), cancellationToken);
            }
        );
        return command;
    }

    private string KeyProblem(Option keyed) => $"{partition.Name}: cannot be combined with {keyed.Name}, because a key decides the partition";

    private IEventSource GetSource(ParseResult result) =>
        result.GetValue(input) is { } path
            ? InputFile.Open(path, result.GetValue(keyField))
            : new GeneratedSource(
                result.GetValue(count),
                new PayloadFactory(result.GetValue(seed), new SizeMix(result.GetValue(size) ?? [(UsualSize, 1)])),
                new KeyDistribution(result.GetValue(keys), result.GetValue(skew), result.GetValue(seed))
            );
}
