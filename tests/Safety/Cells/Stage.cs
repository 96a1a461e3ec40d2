using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using EventHubThroughput.Clients;
using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Processes;

namespace EventHubThroughput.Safety.Cells;

/// <summary>The processes and files of one cell: a separate emulator, a sender, consumers, and a folder that is removed with them.</summary>
internal sealed partial class Stage : IAsyncDisposable
{
    public const string Run = "cell";

    // Begun and stored.
    private const int RecordsOfADeadLetter = 2;

    private static readonly Dictionary<string, string> None = new(StringComparer.Ordinal);

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-cell-");
    private readonly Traps traps = new();
    private readonly List<RunningProcess> started = [];
    private readonly List<FinishedProcess> ended = [];
    private RunningProcess? emulator;
    private int results;

    public Stage(Cell cell)
    {
        Cell = cell;
        System.IO.File.WriteAllText(File("profile.json"), CellProfile.Of(cell.Row.Seconds, cell.Events));
        foreach ((var name, var text) in cell.Row.Files)
        {
            System.IO.File.WriteAllText(File(name), text);
        }
    }

    public Cell Cell { get; }

    /// <summary>What the emulator printed: the environment of every client.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; private set; } = new Dictionary<string, string>(StringComparer.Ordinal);

    public string Journal => File("journal");

    public string Ledger => File("ledger");

    /// <summary>What a script found wrong on its way.</summary>
    public List<string> Problems { get; } = [];

    /// <summary>What every sender and consumer printed.</summary>
    public IReadOnlyList<FinishedProcess> Ended => ended;

    public string Folder => folder.FullName;

    /// <summary>The secret that no artefact may show.</summary>
    public string Key => GetKey().Match(Settings["EVENTHUB_CONNECTION_STRING"]).Groups["key"].Value;

    public Administration Administration => new(Settings["EMULATOR_ADMIN_URL"], Key);

    public string File(string name) => Path.Combine(folder.FullName, name);

    /// <summary>Clients of the test's own, as another program would use them.</summary>
    public BuiltInClients Connect() =>
        new(MessagingSettings.FromEnvironment(Settings.GetValueOrDefault, SettingsScope.Consumer).Settings!, new BuiltInClientOptions());

    /// <summary>Starts the emulator. A second start takes the ports that it had.</summary>
    public async Task StartEmulatorAsync(CancellationToken cancellationToken, bool recording = true)
    {
        var journal = recording ? $"--journal {Journal} --journal-properties eht-run,eht-index" : "";
        var ports = Settings.Count == 0 ? "" : string.Join(' ', Ports.Of(Settings));
        emulator = Programs.Start(
            "emulator",
            $"--profile {(Cell.Row.Immediate ? "none" : File("profile.json"))} --seed {Cell.Seed} {journal} {ports} {Filled(Cell.Row.Emulator)}",
            settings: null,
            byLine: true
        );
        started.Add(emulator);
        var line =
            await emulator.ReadLineAsync(cancellationToken)
            ?? throw new InvalidOperationException($"the emulator ended: {(await emulator.EndAsync(cancellationToken)).Error}");
        Settings = JsonSerializer.Deserialize<Dictionary<string, string>>(line)!;
    }

    /// <summary>Asks the emulator to end, so that its journal is whole.</summary>
    public async Task StopEmulatorAsync(CancellationToken cancellationToken)
    {
        if (emulator is { } running)
        {
            emulator = null;
            await running.SignalAsync("TERM");
            var finished = await running.EndAsync(cancellationToken);
            Expect(finished.ExitCode == 0, $"the emulator ended with {finished.ExitCode}: {finished.Error}");
        }
    }

    /// <summary>Sends the emulator a signal, as STOP or CONT.</summary>
    public Task SignalEmulatorAsync(string signal) => emulator!.SignalAsync(signal);

    /// <summary>Ends the emulator as a crash would.</summary>
    public async Task KillEmulatorAsync(CancellationToken cancellationToken)
    {
        emulator!.Kill();
        await emulator.EndAsync(cancellationToken);
        emulator = null;
    }

    /// <summary>Fills the hub by the sender, which also writes the ledger.</summary>
    public Task SendAsync(string options, CancellationToken cancellationToken) =>
        SendAsync($"--count {Cell.Events} {options} --ledger {Ledger} --run {Run}", "the sender", cancellationToken);

    /// <summary>Sends events that belong to another run and are in no ledger of this one.</summary>
    public Task SendMoreAsync(string options, CancellationToken cancellationToken) =>
        SendAsync($"{options} --run other", "the second sender", cancellationToken);

    /// <summary>Starts a consumer as the row wants it.</summary>
    /// <param name="identifier">Its owner's name.</param>
    /// <param name="more">Further options.</param>
    /// <param name="environment">Further variables.</param>
    public RunningProcess StartConsumer(string identifier = "one", string more = "", IReadOnlyDictionary<string, string>? environment = null)
    {
        results++;
        return Start(
            "consumer",
            ConsumerOptions(identifier, $"{Filled(Cell.Row.Options)} {more}"),
            Cell.Row.Shell,
            [.. Cell.Row.Environment, .. environment ?? None]
        );
    }

    /// <summary>Runs a consumer to its end.</summary>
    public async Task<FinishedProcess> ConsumeAsync(CancellationToken cancellationToken) => await EndAsync(StartConsumer(), cancellationToken);

    /// <summary>Runs a consumer without the options, limits and environment of the row: what a user does when the cause is gone.</summary>
    public async Task<FinishedProcess> ConsumePlainlyAsync(CancellationToken cancellationToken)
    {
        results++;
        return await EndAsync(Start("consumer", ConsumerOptions("healed", Cell.Healing), ""), cancellationToken);
    }

    /// <summary>Writes the dead letters again, which must all go.</summary>
    public async Task RedriveAsync(CancellationToken cancellationToken)
    {
        var redriven = await EndAsync(Start("consumer", $"redrive --clients {Cell.Clients}", ""), cancellationToken);
        Expect(redriven.ExitCode == 0, $"the redrive ended with {redriven.ExitCode}: {redriven.Error.Trim()}");
    }

    /// <summary>Waits for the end of a program and keeps what it printed.</summary>
    public async Task<FinishedProcess> EndAsync(RunningProcess program, CancellationToken cancellationToken)
    {
        var finished = await program.EndAsync(cancellationToken, Cell.Row.Limit);
        ended.Add(finished);
        return finished;
    }

    public void Expect(bool holds, string otherwise)
    {
        if (!holds)
        {
            Problems.Add(otherwise);
        }
    }

    /// <summary>Waits until the sinks hold this number of events.</summary>
    public Task ArchivedAsync(double share, CancellationToken cancellationToken) =>
        RecordedAsync("blob.stored", (long)(share * Cell.Events), cancellationToken);

    /// <summary>Waits until the journal holds this number of records of a kind.</summary>
    public Task RecordedAsync(string kind, long count, CancellationToken cancellationToken) =>
        CountedAsync(TextCounter.OfRecords(Journal, kind), count, cancellationToken);

    /// <summary>Waits until this number of dead letters is stored.</summary>
    public Task DeadLetteredAsync(int count, CancellationToken cancellationToken) =>
        CountedAsync(new TextCounter(Journal, "\"container\":\"deadletters\""), RecordsOfADeadLetter * count, cancellationToken);

    private static async Task CountedAsync(TextCounter records, long count, CancellationToken cancellationToken)
    {
        using var counter = records;
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(20));
        do
        {
            counter.Advance();
        } while (counter.Count < count && await look.WaitForNextTickAsync(cancellationToken));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var program in started)
        {
            await program.DisposeAsync();
        }

        await traps.DisposeAsync();
        if (Environment.GetEnvironmentVariable("SAFETY_KEEP") is not "1")
        {
            folder.Delete(recursive: true);
        }
    }

    private async Task SendAsync(string options, string who, CancellationToken cancellationToken)
    {
        var sent = await EndAsync(Start("sender", $"--clients={Cell.Clients} --quiet --seed {Cell.Seed} {options}", ""), cancellationToken);
        Expect(sent.ExitCode == 0, $"{who} ended with {sent.ExitCode}: {sent.Error}");
    }

    private RunningProcess Start(string program, string arguments, string shell, params IEnumerable<KeyValuePair<string, string>> environment)
    {
        var settings = new Dictionary<string, string>(Settings, StringComparer.Ordinal);
        foreach ((var name, var value) in environment)
        {
            settings[name] = Filled(value);
        }

        var running =
            shell.Length == 0
                ? Programs.Start(program, arguments, settings)
                : Programs.Start("/bin/bash", $"-c \"{shell}; exec '{Path.Combine(AppContext.BaseDirectory, program)}' {arguments}\"", settings);
        started.Add(running);
        return running;
    }

    // A setting of the row overrides the setting of every cell.
    private string ConsumerOptions(string identifier, string row)
    {
        (string Name, string? Value)[] usual =
        [
            ("--clients", Cell.Clients),
            ("--strategy", Cell.Strategy.Name),
            ("--batch", "50"),
            ("--degree", "16"),
            ("--balancing-interval", "1s"),
            ("--ownership-expiry", "3s"),
            ("--identifier", identifier),
            ("--run", Run),
            ("--ledger", Ledger),
            ("--journal", Journal),
            ("--output", File(string.Create(CultureInfo.InvariantCulture, $"result-{results}.json"))),
            row.Contains("--metrics-port", StringComparison.Ordinal) ? ("--linger", "0s") : ("--no-metrics", null),
        ];
        if (!Cell.Strategy.IsBarrier)
        {
            // So often that faults of checkpoints and kills at them have the same number of chances as at the ends of batches.
            usual = [.. usual, ("--checkpoint-events", "10")];
        }

        var given = row.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var rest = usual.Where(option => !given.Contains(option.Name)).Select(option => $"{option.Name} {option.Value}");
        return $"{string.Join(' ', rest)} {row}";
    }

    private string Filled(string text) => traps.Fill(text.Replace("{folder}", folder.FullName, StringComparison.Ordinal));

    [GeneratedRegex("SharedAccessKey=(?<key>[^;]+)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex GetKey();
}
