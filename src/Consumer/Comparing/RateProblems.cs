using System.CommandLine.Parsing;
using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Results;
using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>What is wrong with a rate at which events are sent while cells are run.</summary>
internal static class RateProblems
{
    // What the sender takes.
    private const long MostEvents = 10_000_000;

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

        foreach (var (option, why) in new[] { (load.Events.Name, "sends for as long as is measured"), (load.Input.Name, "needs events without an end") })
        {
            if (result.Command.Options.Any(known => known.Name == option && result.IsGiven(known)))
            {
                yield return $"{option}: not together with {load.Rate.Name}, which {why}";
            }
        }

        var schedule = new SendSchedule(rates);
        var (first, last) = (schedule.EventsBefore(warmUp)!.Value, schedule.EventsBefore(warmUp + length)!.Value);
        var text = LoadText.OfRates(rates);
        if (rates[^1].From >= warmUp + length)
        {
            yield return $"{load.Rate.Name} {text}: a cell is over after {DurationText.Format(warmUp + length)} (--warm-up and --measure), before its last rate begins";
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
}
