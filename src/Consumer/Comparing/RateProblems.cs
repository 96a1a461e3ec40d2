using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>The problems of a rate at which events are sent while cells run.</summary>
internal static class RateProblems
{
    // The most events that the sender accepts.
    private const long MostEvents = 10_000_000;

    // Five windows, the fewest from which a result can be computed.
    private static readonly TimeSpan LeastLength = TimeSpan.FromSeconds(5);

    /// <param name="load">The options of the load.</param>
    /// <param name="result">The parsed options.</param>
    /// <param name="warmUp">The time at the start of each cell that is not measured.</param>
    /// <param name="length">The measured time of each cell.</param>
    public static IEnumerable<string> Of(LoadArguments load, CommandResult result, TimeSpan warmUp, TimeSpan length)
    {
        if (result.GetValue(load.Rate) is not { } rates)
        {
            yield break;
        }

        foreach (var problem in EndlessProblems(load, result, load.Rate))
        {
            yield return problem;
        }

        var schedule = new SendSchedule(rates);
        var (first, last) = (schedule.EventsBefore(warmUp)!.Value, schedule.EventsBefore(warmUp + length)!.Value);
        var text = LoadText.OfRates(rates);
        if (rates[^1].From >= warmUp + length)
        {
            yield return $"{load.Rate.Name} {text}: a cell ends after {DurationText.Format(warmUp + length)} (--warm-up and --measure), before its last rate begins";
        }
        else if (last - first < ComparedFigure.EventsForP50)
        {
            yield return $"{load.Rate.Name} {text}: {last - first} events in --measure {DurationText.Format(length)}, a median needs {ComparedFigure.EventsForP50}";
        }
        else if (last > MostEvents)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"{load.Rate.Name} {text}: {last:N0} events a cell, at most {MostEvents:N0}");
        }
    }

    /// <summary>The problems of a search for the highest sustained rate.</summary>
    /// <param name="search">The option that selects the search.</param>
    /// <param name="load">The options of the load.</param>
    /// <param name="result">The parsed options.</param>
    /// <param name="length">The measured time of each run.</param>
    public static IEnumerable<string> OfSearch(Option<bool> search, LoadArguments load, CommandResult result, TimeSpan length)
    {
        if (!result.GetValue(search))
        {
            yield break;
        }

        if (result.Command.Options.Contains(load.Rate) && result.IsGiven(load.Rate))
        {
            yield return $"{load.Rate.Name}: cannot be combined with {search.Name}, which chooses the rates";
        }

        foreach (var problem in EndlessProblems(load, result, search))
        {
            yield return problem;
        }

        if (length < LeastLength)
        {
            yield return $"{search.Name}: needs --measure {DurationText.Format(LeastLength)} or more to see a growing lag, not {DurationText.Format(length)}";
        }
    }

    private static IEnumerable<string> EndlessProblems(LoadArguments load, CommandResult result, Option asking) =>
        new[] { ((Option)load.Events, "sends during the whole measurement"), (load.Input, "needs an endless supply of events") }
            .Where(one => result.Command.Options.Contains(one.Item1) && result.IsGiven(one.Item1))
            .Select(one => $"{one.Item1.Name}: cannot be combined with {asking.Name}, which {one.Item2}");
}
