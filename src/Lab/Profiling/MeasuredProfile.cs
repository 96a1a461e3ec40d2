using EventHubThroughput.Lab.Results;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Profiling;

/// <summary>A latency profile of the latencies that a run has measured, for the emulator and for the model.</summary>
/// <param name="Profile">The profile.</param>
/// <param name="Notes">Notes for its user, a line each.</param>
internal sealed record MeasuredProfile(LatencyProfile Profile, IReadOnlyList<string> Notes)
{
    /// <summary>The writes of an event to each sink of a run, in the form of <c>model</c>. Empty for probes.</summary>
    public IReadOnlyList<DescribedWrite> Writes { get; init; } = [];

    /// <summary>What no run with one write under way can measure.</summary>
    public const string SideBySide =
        "the profile assumes that operations are served concurrently. A run with several in flight shows whether they wait for each other";

    /// <summary>Creates the profile.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="result">The run.</param>
    /// <exception cref="UsageException">The run has measured too little.</exception>
    public static MeasuredProfile Of(string name, RunResult result)
    {
        var writes = MeasuredWrites.Of(result);
        var profile = MeasuredWrites.AreOther(result) && writes.Count > 0 ? OfCheckpoints(name, result.Stages) : OfWrites(name, result.Stages);
        // With prefetch a batch waits for the next events, and not for the service alone.
        if (result.Strategy.Prefetch == 0 && result.Stages.GetValueOrDefault("receive") is { } receive && MeasuredLaw.Of(receive) is { } law)
        {
            profile = profile.With(EmulatedOperation.EventReceive, law);
        }

        return new MeasuredProfile(profile, [.. GetNotes(result)]) { Writes = writes };
    }

    // A handler that writes to neither message nor blob is described by its writes alone.
    private static LatencyProfile OfCheckpoints(string name, IReadOnlyDictionary<string, StageFigures> stages) =>
        stages.GetValueOrDefault("checkpoint") is { } stage && MeasuredLaw.Of(stage) is { } law
            ? new LatencyProfile(name).With(EmulatedOperation.CheckpointWrite, law)
            : new LatencyProfile(name);

    /// <summary>The profile of what a consumer writes.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="stages">How long each stage took, by its name.</param>
    /// <exception cref="UsageException">Too little was measured.</exception>
    public static LatencyProfile OfWrites(string name, IReadOnlyDictionary<string, StageFigures> stages)
    {
        List<string> problems = [];
        var profile = new LatencyProfile(name)
            .With(EmulatedOperation.MessageSend, GetLaw("servicebus"))
            .With(EmulatedOperation.BlobWrite, GetLaw("blob"))
            .With(EmulatedOperation.CheckpointWrite, GetLaw("checkpoint"));
        return problems.Count > 0 ? throw new UsageException(problems) : profile;

        LatencyLaw GetLaw(string stage)
        {
            var found = stages.GetValueOrDefault(stage);
            if (found is not null && MeasuredLaw.Of(found) is { } known)
            {
                return known;
            }

            problems.Add($"stage '{stage}' was measured {found?.Count ?? 0} times, {MeasuredLaw.FewestSamples} are needed");
            return LatencyLaw.Zero;
        }
    }

    private static IEnumerable<string> GetNotes(RunResult result)
    {
        if (result.Strategy.DegreeReached.Max > 1)
        {
            yield return $"up to {result.Strategy.DegreeReached.Max} events were in flight, so these latencies include waiting. A run of baseline measures the service alone";
        }

        yield return SideBySide;
    }
}
