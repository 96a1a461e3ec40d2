using System.CommandLine;
using System.Net;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator;

/// <summary>The command line. It turns options into settings, and runs an emulator with them until it is asked to stop.</summary>
internal sealed class EmulatorCommand
{
    private const int MostShown = 3;

    private readonly CommandConsole _console;
    private readonly StopRequest _stop;

    private readonly Option<string?> _settings = Options.Text("--settings", "file with entities and settings (JSON)", "FILE");
    private readonly EndpointArguments _endpoints = new();
    private readonly EntityArguments _entities = new();
    private readonly StorageArguments _storage = new();
    private readonly FaultInjectionArguments _faultInjection = new();
    private readonly LimitArguments _limits = new();
    private readonly LogOptions _log;
    private readonly Option<bool> _exitWithInput = Options.Flag("--exit-with-stdin", "end when standard input closes, and ignore signals");
    private readonly Option<string> _print = Options.Choice("--print", "format of the settings on standard output", "json", ["json", "env", "powershell"]);

    public EmulatorCommand(CommandConsole console, StopRequest stop)
    {
        _console = console;
        _stop = stop;
        _log = new LogOptions(console.Environment);
        Root = new RootCommand("Event Hubs, Service Bus and Blob Storage on loopback, for any client in any language.");
        Root.Options.Add(_settings);
        _endpoints.AddTo(Root);
        _entities.AddTo(Root);
        _storage.AddTo(Root);
        _faultInjection.AddTo(Root);
        Root.Options.Add(_exitWithInput);
        Root.Options.Add(_print);
        _limits.AddTo(Root);
        _log.AddTo(Root);
        Root.CheckAll(result =>
            _faultInjection.AddTo(_endpoints.AddTo(new NamedFiles().Reads(_settings.Name, result.GetValue(_settings)), result), result).Problems()
        );
        Root.SetAction(RunAsync);
    }

    public RootCommand Root { get; }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        try
        {
            return await RunAsync(parsed, GetOptions(parsed), cancellationToken);
        }
        catch (EmulatorException exception)
        {
            throw EmulatorFailure.Of(exception);
        }
    }

    private async Task<int> RunAsync(ParseResult parsed, EmulatorOptions options, CancellationToken cancellationToken)
    {
        // From here on a signal during the start ends it as cleanly as a later one.
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var stop = _stop.WaitAsync(parsed.GetValue(_exitWithInput), over.Token);
        try
        {
            await ServeAsync(parsed, options, stop, cancellationToken);
            return 0;
        }
        finally
        {
            await over.CancelAsync();
            await stop;
        }
    }

    private async Task ServeAsync(ParseResult parsed, EmulatorOptions options, Task stop, CancellationToken cancellationToken)
    {
        using var logs = ProgramLog.Create(_log.Read(parsed), "emulator", _console.Error);
        await using var host = await EmulatorHost.StartAsync(options with { LoggerFactory = logs }, cancellationToken);
        if (!IPAddress.IsLoopback(options.Host))
        {
            await _console.Error.WriteLineAsync($"warning: other machines can reach this emulator on {options.Host}");
        }

        foreach (var notice in host.Notices)
        {
            await _console.Error.WriteLineAsync($"warning: {notice.Describe(EmulatorFailure.GetOption)}");
        }

        var settings = parsed.GetValue(_print) switch
        {
            "env" => EmulatorSettings.ToExports(host.Settings),
            "powershell" => EmulatorSettings.ToPowerShell(host.Settings),
            _ => EmulatorSettings.ToJson(host.Settings),
        };
        await _console.Output.WriteLineAsync(settings);
        await _console.Output.FlushAsync(cancellationToken);
        await _console.Error.WriteLineAsync(ReadyLine(options, host.Entities));
        await stop;
        foreach (var row in host.Observed)
        {
            await _console.Error.WriteLineAsync(
                $"latency of {row.Operation}: requested mean {row.AskedMeanMilliseconds:0.00} ms, observed {row.MeanMilliseconds:0.00} ms (sd {row.DeviationMilliseconds:0.00}, n {row.Count})"
            );
        }
    }

    private static string ReadyLine(EmulatorOptions options, EntitySet entities)
    {
        IEnumerable<string> parts =
        [
            .. Shown("hub", entities.Hubs, static hub => $"hub '{hub.Name}' with {hub.Partitions} partitions"),
            .. Shown("queue", entities.Queues, static queue => $"queue '{queue.Name}'"),
            .. Shown("topic", entities.Topics, static topic => $"topic '{topic.Name}'"),
            $"profile '{options.Profile.Name}'",
            options.DataPath is null ? "in memory" : $"data in {options.DataPath}",
            options.JournalPath is null ? "no journal" : $"journal {options.JournalPath}",
        ];
        return $"emulator ready: {string.Join(", ", parts)}";
    }

    private static IEnumerable<string> Shown<T>(string kind, IReadOnlyList<T> entities, Func<T, string> show) =>
        entities.Count > MostShown ? [$"{entities.Count} {kind}s"] : entities.Select(show);

    private EmulatorOptions GetOptions(ParseResult parsed)
    {
        var file = parsed.GetValue(_settings) is { } path ? SettingsDocument.ReadFile(path) : null;
        var options = _limits.Apply(parsed, _storage.Apply(parsed, _endpoints.Apply(parsed, new EmulatorOptions())));
        var settings = file is null ? null : MicrosoftConfig.Translate(file.Root);
        options = _faultInjection.Apply(parsed, settings, _entities.Apply(parsed, settings, options));
        file?.ThrowIfWrong();
        return options;
    }
}
