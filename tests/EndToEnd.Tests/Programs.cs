using System.CommandLine.Parsing;
using System.Text.Json;
using EventHubThroughput.Processes;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Starts the built executables, which are beside the tests, as separate processes.</summary>
internal static class Programs
{
    /// <summary>When a program is taken to hang: some wait for a minute as they should, on machines that others keep busy.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);

    // Hundreds of starts of a few seconds: memory of code is not mapped a second time to be written.
    private static readonly Dictionary<string, string> ShortLived = new(StringComparer.Ordinal) { ["DOTNET_EnableWriteXorExecute"] = "0" };

    public static Task<FinishedProcess> ConsumerAsync(
        string arguments,
        IReadOnlyDictionary<string, string>? settings,
        CancellationToken cancellationToken,
        TimeSpan? limit = null
    ) => RunAsync("consumer", arguments, settings, cancellationToken, limit);

    public static Task<FinishedProcess> SenderAsync(string arguments, IReadOnlyDictionary<string, string>? settings, CancellationToken cancellationToken) =>
        RunAsync("sender", arguments, settings, cancellationToken);

    public static async Task<FinishedProcess> RunAsync(
        string program,
        string arguments,
        IReadOnlyDictionary<string, string>? settings,
        CancellationToken cancellationToken,
        TimeSpan? limit = null
    )
    {
        await using var running = Start(program, arguments, settings);
        return await running.EndAsync(cancellationToken, limit);
    }

    /// <param name="program">Which.</param>
    /// <param name="arguments">Its arguments in one line, quoted where they hold spaces.</param>
    /// <param name="settings">Its settings. It gets none of this process.</param>
    /// <param name="byLine">Whether the test reads its output by lines.</param>
    public static RunningProcess Start(string program, string arguments, IReadOnlyDictionary<string, string>? settings, bool byLine = false) =>
        RunningProcess.Start(
            ProcessCommand.OfProgram(program, [.. CommandLineParser.SplitCommandLine(arguments)]) with
            {
                IsWithheld = IsSetting,
                IsReadByLine = byLine,

                Variables = (settings ?? ShortLived).UnionBy(ShortLived, static variable => variable.Key).ToDictionary(StringComparer.Ordinal),
            }
        );

    /// <param name="process">The process.</param>
    /// <param name="cancellationToken">Gives up waiting.</param>
    /// <param name="longest">How long it may take, by default <see cref="Limit"/>.</param>
    public static Task<FinishedProcess> EndAsync(this RunningProcess process, CancellationToken cancellationToken, TimeSpan? longest = null) =>
        process.EndAsync(longest ?? Limit, cancellationToken);

    private static bool IsSetting(string name) =>
        name.StartsWith("EVENTHUB_", StringComparison.Ordinal)
        || name.StartsWith("SERVICEBUS_", StringComparison.Ordinal)
        || name.StartsWith("STORAGE_", StringComparison.Ordinal)
        || name is "CHECKPOINT_CONTAINER" or "DEADLETTER_CONTAINER";
}

/// <summary>An emulator of the test's own, as a process, with its journal in a folder that is deleted at the end.</summary>
internal sealed class EmulatorProcess : IAsyncDisposable
{
    private readonly RunningProcess _program;
    private readonly DirectoryInfo _folder;

    private EmulatorProcess(RunningProcess program, DirectoryInfo folder, IReadOnlyDictionary<string, string> settings)
    {
        _program = program;
        _folder = folder;
        Settings = settings;
    }

    public IReadOnlyDictionary<string, string> Settings { get; }

    public string Journal => Path.Combine(_folder.FullName, "journal");

    public string File(string name) => Path.Combine(_folder.FullName, name);

    public static async Task<EmulatorProcess> StartAsync(string arguments, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("eht-e2e-");
        var program = Programs.Start(
            "emulator",
            $"--journal {Path.Combine(folder.FullName, "journal")} --journal-properties eht-run,eht-index {arguments}",
            settings: null,
            byLine: true
        );
        var line = await program.ReadLineAsync(cancellationToken);
        if (line is null)
        {
            var finished = await program.EndAsync(cancellationToken);
            throw new InvalidOperationException($"the emulator ended with {finished.ExitCode}: {finished.Error}");
        }

        return new EmulatorProcess(program, folder, JsonSerializer.Deserialize<Dictionary<string, string>>(line)!);
    }

    public void Kill() => _program.Kill();

    /// <summary>Asks the emulator to end, so that its journal is whole.</summary>
    public async Task<FinishedProcess> StopAsync(CancellationToken cancellationToken)
    {
        await _program.SignalAsync("TERM");
        return await _program.EndAsync(cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await _program.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
