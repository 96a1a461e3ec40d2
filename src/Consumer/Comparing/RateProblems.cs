using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>What is wrong with a rate at which events are sent while cells are run.</summary>
internal static class RateProblems
{
    // What the sender takes.
    private const long MostEvents = 10_000_000;

    // Five windows, with fewer of which nobody can tell.
    private static readonly TimeSpan LeastLength = TimeSpan.FromSeconds(5);

    /// <param name="load">The options of the load.</param>
    /// <param name="result">What was given.</param>
    /// <param name="warmUp">What is left out of each cell.</param>
    /// <param name="length">For how long each cell is measured.</param>
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

    /// <summary>What is wrong with a search for the rate that is kept.</summary>
    /// <param name="search">The option that asks for it.</param>
    /// <param name="load">The options of the load.</param>
    /// <param name="result">What was given.</param>
    /// <param name="length">For how long each run is measured.</param>
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
