using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Processes;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Consumer.Comparing.MessageSweeping;

/// <summary>The command <c>consumer sweep --scenario servicebus-processor</c>: runs a Service Bus processor at many limits.</summary>
/// <param name="machine">The limits of the machine.</param>
internal sealed class MessageSweepCommand(SweptMachine machine)
{
    private const string ScenarioOption = NamedComparison.ScenarioName;
    private const string DefaultThreads = "default";
    private const string ThisBuild = "this";
    private const int MostThreads = 32_767;
    private const int MostMemory = 1_024;

    private readonly Option<string> scenario = Options.Choice(
        ScenarioOption,
        "Forward Service Bus messages through a processor instead of sweeping strategies",
        MessageSweepHeader.Name,
        [MessageSweepHeader.Name]
    );

    private readonly Option<IReadOnlyList<string>> concurrency = Options.List(
        "--concurrency",
        $"Messages processed concurrently (1 to {MessageProcessorOptions.MostConcurrentCalls})",
        ["8", "16", "32", "64", "96", "128", "192", "256"]
    );

    private readonly Option<IReadOnlyList<string>> threads = Options.List(
        "--threads",
        $"Minimum of the thread pool: {DefaultThreads}, a number, or +N for N more than the concurrency (up to {MostThreads}). =N is also its maximum",
        [DefaultThreads, "+4"]
    );

    private readonly Option<IReadOnlyList<string>> cores = Options.List(
        "--cores",
        $"Processors that the receiver may use (1 to {machine.Cores} here)",
        machine.UsualCores
    );
    private readonly Option<IReadOnlyList<string>> memory = Options.List(
        "--memory",
        $"Memory that the receiver may use, in GiB (1 to {MostMemory}, and no more than the machine has)",
        machine.UsualMemory
    );

    private readonly Option<IReadOnlyList<string>> clients = Options.List(
        "--clients",
        $"Clients of the processor: {FamilyNames} (the processor of the Azure package, and the one of this project)",
        [ClientFamily.Official]
    );

    private readonly Option<IReadOnlyList<string>> builds = Options.List(
        "--builds",
        $"Builds that run the processor: {ThisBuild}, or the folder of another build of this program",
        [ThisBuild]
    );

    private readonly Option<int> block = Options.Integer(
        "--block-ms",
        "Milliseconds for which each handler blocks its thread, as a call without await does",
        0,
        0,
        60_000
    );
    private readonly Option<int> repeats = Options.Integer("--repeats", "Runs of each point", 1, 1, 100);
    private readonly Option<int> rate = Options.Integer(
        "--rate",
        "Most messages a second that are sent. Fewer where a point cannot process them",
        4_000,
        1,
        100_000
    );
    private readonly Option<string> profile = Options.TextOr("--profile", "Latency profile (docs/laboratory.md)", "processor", "NAME|FILE.json");
    private readonly Option<bool> topic = Options.Flag("--topic", "Forward to a topic with one subscription instead of a queue");
    private readonly Option<TimeSpan> warmUp = Options.Duration(
        "--warm-up",
        "Warm-up of each cell",
        TimeSpan.FromSeconds(30),
        TimeSpan.Zero,
        TimeSpan.FromHours(1)
    );

    private readonly Option<TimeSpan> length = Options.Duration(
        "--measure",
        "How long each cell is measured",
        TimeSpan.FromSeconds(60),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromHours(24)
    );

    private readonly Option<TimeSpan> startLimit = SharedOptions.StartLimit();
    private readonly Option<string?> output = Options.Text("--output", "Write every cell to this file (JSON), after each one", "FILE");
    private readonly Option<string?> report = Options.Text("--report", "Write a report to this file. Its ending is the format: .html, .md or .csv", "FILE");
    private readonly Option<string?> resume = Options.Text(
        NamedComparison.ResumeName,
        "Continue the sweep that wrote this file, with the options stored in it",
        "FILE"
    );

    private static string FamilyNames => string.Join(" and ", ClientFamilies.All.Select(static family => family.Name));

    private Option[] OfSweep => [concurrency, threads, cores, memory, clients, builds, block, repeats, rate, profile, topic, warmUp, length, startLimit];

    /// <summary>Whether the arguments select this sweep.</summary>
    public static bool IsMeant(IReadOnlyList<string> args) =>
        args.Contains("sweep")
        && (
            args.Contains($"{ScenarioOption}={MessageSweepHeader.Name}")
            || args.Zip(args.Skip(1)).Any(static pair => pair is (ScenarioOption, MessageSweepHeader.Name))
        );

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="sweep">The action for a valid command line. Returns the exit code.</param>
    /// <param name="machine">The limits of the machine. Null for this machine.</param>
    public static Command Create(CommandConsole console, Func<MessageSweepPlan, Task<int>> sweep, SweptMachine? machine = null) =>
        new MessageSweepCommand(machine ?? SweptMachine.Of(console.Environment)).Build(console, sweep);

    private Command Build(CommandConsole console, Func<MessageSweepPlan, Task<int>> sweep)
    {
        var command = new Command(
            "sweep",
            "Forwards Service Bus messages through a processor at many concurrencies, thread settings, cores and memories, and reports which are enough."
        );
        foreach (var option in (Option[])[scenario, .. OfSweep, output, report, resume])
        {
            command.Options.Add(option);
        }

        command.Check(_ =>
            MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer).IsNone
                ? null
                : "sweep: runs on its own emulator, but connection settings are set in the environment"
        );
        command.Check(_ =>
            machine.HasTaskset ? null : $"{ScenarioOption} {MessageSweepHeader.Name}: limits processors by taskset (util-linux), which was not found in PATH"
        );
        command.CheckAll(GridProblems);
        command.Check(result => ProfileReader.Problem(profile.Name, result.GetValue(profile)!));
        command.CheckAll(result =>
            new NamedFiles()
                .Writes(output.Name, result.GetValue(output), OutputKind.Result)
                .Writes(report.Name, result.GetValue(report), OutputKind.Report)
                .Problems()
        );
        command.Check(result =>
            result.GetValue(report) is { } path && ReportFormats.Of(path) is null
                ? $"{report.Name} {path}: unknown ending of a report, allowed {string.Join(", ", ReportFormats.Endings)}"
                : null
        );
        command.CheckAll(result =>
            result.IsGiven(resume)
                ? OfSweep.Where(result.IsGiven).Select(option => $"{resume.Name}: cannot be combined with {option.Name}, which the file contains")
                : []
        );
        command.SetAction((result, _) => sweep(result.GetValue(resume) is { } file ? Resume(file, result, console.Error) : GetPlan(result)));
        return command;
    }

    private IEnumerable<string> GridProblems(CommandResult result) =>
        [
            .. Problems(
                result,
                concurrency,
                text => IsNumber(text, 1, MessageProcessorOptions.MostConcurrentCalls),
                $"1 to {MessageProcessorOptions.MostConcurrentCalls}"
            ),
            .. Problems(
                result,
                threads,
                text => GetThreads(text, 1) is { } known && (!known.IsFixed || known.Threads >= GetMostCores(result)),
                $"{DefaultThreads}, 1 to {MostThreads}, +N, or =N from the number of cores on"
            ),
            .. Problems(result, clients, static text => ClientFamilies.All.Any(family => family.Name == text), FamilyNames),
            .. Problems(
                result,
                builds,
                static text => text == ThisBuild || File.Exists(ProcessCommand.GetFile(Path.GetFullPath(text), "consumer")),
                $"{ThisBuild}, or a folder that has the executable consumer"
            ),
            .. Problems(result, cores, text => IsNumber(text, 1, machine.Cores), $"1 to {machine.Cores}, the processors of this machine"),
            .. Problems(result, memory, text => IsNumber(text, 1, machine.MemoryGib), $"1 to {machine.MemoryGib}, the GiB of this machine"),
        ];

    private static IEnumerable<string> Problems(CommandResult result, Option<IReadOnlyList<string>> option, Func<string, bool> isRight, string allowed)
    {
        var texts = result.GetValue(option)!;
        if (texts.Count == 0)
        {
            yield return $"{option.Name}: none given, allowed {allowed}";
        }

        foreach (var text in texts.Where(text => !isRight(text)))
        {
            yield return $"{option.Name} {NumberText.Quote(text)}: out of range, allowed {allowed}";
        }

        foreach (var twice in texts.GroupBy(static text => text, StringComparer.Ordinal).Where(static same => same.Count() > 1))
        {
            yield return $"{option.Name} '{twice.Key}': given twice";
        }
    }

    private static bool IsNumber(string text, int least, int most) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most;

    // Null if the text is not a number of threads.
    private static (int Threads, bool IsFixed)? GetThreads(string text, int concurrency) =>
        text == DefaultThreads ? (0, false)
        : text.StartsWith('+') && IsNumber(text[1..], 0, MostThreads) ? (Math.Min(MostThreads, concurrency + Number(text[1..])), false)
        : text.StartsWith('=') && IsNumber(text[1..], 1, MostThreads) ? (Number(text[1..]), true)
        : IsNumber(text, 1, MostThreads) ? (Number(text), false)
        : null;

    // The runtime refuses a pool with fewer threads than processors.
    private int GetMostCores(CommandResult result) =>
        result.GetValue(cores)!.Where(text => IsNumber(text, 1, machine.Cores)).Select(Number).DefaultIfEmpty(1).Max();

    private static int Number(string text) => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);

    private MessageSweepPlan GetPlan(ParseResult result) =>
        new()
        {
            Points =
            [
                .. from repeat in Enumerable.Range(0, result.GetValue(repeats))
                from gib in result.GetValue(memory)!
                from core in result.GetValue(cores)!
                from limit in result.GetValue(concurrency)!
                from text in result.GetValue(threads)!
                let pool = GetThreads(text, Number(limit))!.Value
                from family in result.GetValue(clients)!
                from build in result.GetValue(builds)!
                select new MessagePoint(
                    Number(limit),
                    pool.Threads,
                    Number(core),
                    Number(gib),
                    repeat,
                    family,
                    pool.IsFixed,
                    build == ThisBuild ? null : build
                ),
            ],
            Profile = result.GetValue(profile)!,
            Rate = result.GetValue(rate),
            WarmUp = result.GetValue(warmUp),
            Length = result.GetValue(length),
            Topic = result.GetValue(topic),
            Work = new HandlerWork(TimeSpan.Zero, TimeSpan.FromMilliseconds(result.GetValue(block))),
            StartLimit = result.GetValue(startLimit),
            Arguments = [.. result.Tokens.Select(static token => token.Value)],
            Output = result.GetValue(output),
            Report = result.GetValue(report),
        };

    private MessageSweepPlan Resume(string file, ParseResult given, TextWriter error)
    {
        var earlier = Read(file);
        var again = new MessageSweepCommand(machine);
        var parsed = CommandHost.Parse(
            again.Build(new CommandConsole(TextWriter.Null, TextWriter.Null, static _ => null), static _ => Task.FromResult(0)),
            [.. earlier.Sweep.Arguments.SkipWhile(static argument => argument == "sweep"), .. again.GetClients(earlier)]
        );
        var arguments = new StoredArguments($"{resume.Name} {file}", parsed, given);
        if (arguments.IgnoredBeside(file) is { Count: > 0 } ignored)
        {
            error.WriteLine($"sweep: ignored, because the result names no output file: {string.Join(" and ", ignored)}");
        }

        return parsed.Problems() is { Count: > 0 } problems
            ? throw new UsageException([.. problems.Select(problem => $"{resume.Name} {file}: {problem}")])
            : again.GetPlan(parsed) with
            {
                Arguments = earlier.Sweep.Arguments,
                Earlier = earlier,
                Output = given.GetValue(output) ?? (earlier.Sweep.Complete ? null : file),
                Report = given.GetValue(report),
            };
    }

    // The default of the option may have been another one: the result names the clients that it was measured with.
    private IEnumerable<string> GetClients(MessageSweepResult earlier) =>
        earlier.Sweep.Arguments.Contains(clients.Name) ? [] : [clients.Name, earlier.Program.Clients];

    private MessageSweepResult Read(string file)
    {
        try
        {
            var result = JsonSerializer.Deserialize(
                NamedFile.Read($"{resume.Name} {file}", file, EarlierComparison.LargestSize),
                MessageSweepContext.Default.MessageSweepResult
            );
            return result is { Sweep: { Scenario: MessageSweepHeader.Name, Schema: 1 } } read
                ? read
                : throw new UsageException($"{resume.Name} {file}: not a result of {ScenarioOption} {MessageSweepHeader.Name}, or one of another version");
        }
        catch (JsonException wrong)
        {
            throw new UsageException(
                $"{resume.Name} {file}: incomplete, or not a result of {ScenarioOption} {MessageSweepHeader.Name}: {JsonProblem.Of(wrong)}"
            );
        }
    }
}
