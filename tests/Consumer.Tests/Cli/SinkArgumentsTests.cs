using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

/// <summary>The sinks that a command line chooses.</summary>
public sealed class SinkArgumentsTests
{
    private static readonly AvailableComponents Offer = AvailableComponents.With().WithSinks(new CustomSinks("mine.dll", [SinksOfTests.Handler]));

    [Fact]
    public void Without_the_option_each_event_is_written_to_message_and_blob()
    {
        var run = GetRun("");

        Assert.Equal(SinkCatalog.All, run.Sinks);
        Assert.Null(run.SinkAssembly);
    }

    [Theory]
    [InlineData("--sinks servicebus", "servicebus", null)]
    [InlineData("--sinks blob,servicebus", "blob,servicebus", null)]
    [InlineData("--sinks servicebus,blob,handler-of-tests", "servicebus,blob,handler-of-tests", "mine.dll")]
    [InlineData("--sinks handler-of-tests,blob", "handler-of-tests,blob", "mine.dll")]
    public void The_sinks_that_are_named_are_those_of_the_run_in_their_order(string line, string expected, string? assembly)
    {
        var run = GetRun(line);

        Assert.Equal(expected.Split(','), run.Sinks.Select(static sink => sink.Name));
        Assert.Equal(assembly, run.SinkAssembly);
    }

    [Theory]
    [InlineData("--sinks servicebuss", "--sinks 'servicebuss': unknown, did you mean 'servicebus'? Known: servicebus, blob, handler-of-tests")]
    [InlineData("--sinks blob,blob", "--sinks 'blob': named twice")]
    [InlineData("--sinks ,", "--sinks ',': no name. Known: servicebus, blob, handler-of-tests")]
    [InlineData("--sinks handler-of-tests", "--sinks handler-of-tests: no verdict is possible, add servicebus or blob")]
    [InlineData("--write http=40ms --sinks blob", "--write: takes the place of all sinks, so it cannot be combined with --sinks")]
    [InlineData("--write blob=40ms", "--write 'blob': the name is that of a sink of this program, choose another one")]
    [InlineData("--write http=0ms", "--write 'http=0ms': mean 0ms out of range, allowed 0.01ms to 10m")]
    [InlineData("--handler mine.dll --sinks blob", "--handler: writes to the handlers of its assembly alone, so it cannot be combined with --sinks")]
    public void A_set_that_cannot_be_written_or_judged_is_refused(string line, string expected) =>
        Assert.Equal([expected], CommandHost.Parse(GetCommand(out _), line.Split(' ')).Problems());

    [Fact]
    public void A_handler_is_written_to_alone_and_judged_by_what_it_acknowledges()
    {
        var run = GetRun("--handler mine.dll");

        Assert.Equal(("handler-of-tests", "mine.dll"), (string.Join(',', run.Sinks.Select(static sink => sink.Name)), run.SinkAssembly));
        var scope = RunVerification.GetScope(run, SettingsOfTests, named: false);
        Assert.Equal((SinkSet.Handlers, "handler-of-tests"), (scope.Sinks, string.Join(',', scope.Handlers)));
        Assert.Null(scope.Acknowledgements);
        Assert.Empty(RunVerification.Limited(VerdictReport.NothingNamed, run).Unjudged);
    }

    [Fact]
    public void Described_writes_take_the_place_of_sinks()
    {
        var read = Configurations("--write http=40ms --write sql=8ms:concurrency=20", "combined", "pipelined:degree=8");

        Assert.All(read, static one => Assert.Equal(["http", "sql"], one.Options.Sinks.Select(static sink => sink.Name)));
        Assert.All(read, static one => Assert.Equal(["http=40ms", "sql=8ms:concurrency=20"], one.Options.Writes!));
    }

    [Fact]
    public void A_sink_of_one_strategy_that_is_a_handler_already_is_refused() =>
        Assert.Equal(
            "--strategies 'combined:sink=handler-of-tests': --sink 'handler-of-tests': is among the handlers already",
            Assert.Throws<Settings.UsageException>(static () => Configurations("--handler mine.dll", "combined:sink=handler-of-tests")).Message
        );

    [Theory]
    [InlineData("--sinks servicebus,handler-of-tests", SinkSet.Queue, "handler-of-tests")]
    [InlineData("--sinks blob", SinkSet.Archive, "")]
    [InlineData("", SinkSet.Both, "")]
    public void The_verdict_judges_the_sinks_that_it_has_evidence_of_and_names_the_others(string line, SinkSet judged, string unjudged)
    {
        var run = GetRun(line);

        Assert.Equal(judged, RunVerification.GetScope(run, SettingsOfTests, named: false).Sinks);
        Assert.Equal(unjudged, string.Join(',', RunVerification.Limited(VerdictReport.NothingNamed, run).Unjudged));
    }

    [Fact]
    public void Each_strategy_of_a_comparison_writes_to_the_sinks_that_are_named()
    {
        var read = Configurations("--sinks blob", "combined", "combined:sink=handler-of-tests");

        Assert.Equal(["blob", "blob,handler-of-tests"], read.Select(static one => string.Join(',', one.Options.Sinks.Select(static sink => sink.Name))));
        Assert.Equal([null, "mine.dll"], read.Select(static one => one.Options.SinkAssembly));
    }

    [Fact]
    public void A_sink_of_one_strategy_that_all_have_already_is_refused() =>
        Assert.Equal(
            "--strategies 'combined:sink=handler-of-tests': --sink 'handler-of-tests': is among --sinks already",
            Assert.Throws<Settings.UsageException>(static () => Configurations("--sinks blob,handler-of-tests", "combined:sink=handler-of-tests")).Message
        );

    [Theory]
    [InlineData("--sinks blob")]
    [InlineData("--sinks servicebus,blob,handler-of-tests")]
    public void The_model_predicts_only_sets_of_message_and_blob(string line)
    {
        Assert.Null(ModelChoice.GetPrediction(GetRun(line) with { Load = Load }));
        Assert.NotNull(ModelChoice.GetPrediction(GetRun("--sinks blob,servicebus") with { Load = Load }));
    }

    private static LoadOptions Load => new(600, 1, "article", BodySizes.Usual, 0, null);

    private static Clients.MessagingSettings SettingsOfTests =>
        Clients
            .MessagingSettings.FromEnvironment(
                static name =>
                    name switch
                    {
                        "EVENTHUB_CONNECTION_STRING" or "SERVICEBUS_CONNECTION_STRING" =>
                            "Endpoint=sb://127.0.0.1;SharedAccessKeyName=a;SharedAccessKey=Yg==;UseDevelopmentEmulator=true",
                        "EVENTHUB_NAME" => "hub",
                        "SERVICEBUS_QUEUE" => "queue",
                        "STORAGE_CONNECTION_STRING" => "UseDevelopmentStorage=true",
                        _ => null,
                    },
                Clients.SettingsScope.Consumer
            )
            .Require();

    private static Command GetCommand(out ProcessingArguments processing)
    {
        var arguments = new ProcessingArguments(Offer);
        var command = new Command("test") { arguments.Dispatch.Strategy };
        foreach (var option in arguments.OfEach.Concat(arguments.Sinks.OfComparisons))
        {
            command.Options.Add(option);
        }

        command.Check(result =>
            result.IsGiven(arguments.Sinks.Handler) || result.IsGiven(arguments.Sinks.Writes.Write) ? null : arguments.Sinks.Problem(result)
        );
        command.CheckAll(arguments.Sinks.AloneProblems);
        processing = arguments;
        return command;
    }

    private static RunOptions GetRun(string line)
    {
        var parsed = CommandHost.Parse(GetCommand(out var processing), line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        Assert.Empty(parsed.Problems());
        return processing.Read(parsed.CommandResult, processing.Dispatch.GetStrategy(parsed.CommandResult)!, OwnershipTimes.Embedded, load: null);
    }

    private static IReadOnlyList<Lab.Comparing.ComparedConfiguration> Configurations(string line, params string[] texts)
    {
        var parsed = CommandHost.Parse(GetCommand(out var processing), line.Split(' '));
        return new ComparedConfigurationReader(Offer, processing, parsed.CommandResult, Load).Read("--strategies", texts);
    }
}
