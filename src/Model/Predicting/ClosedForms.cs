namespace EventHubThroughput.Model.Predicting;

/// <summary>
/// The closed forms of docs/method.md, exact for constant latencies, full batches and a sender that serves sends one after another. With a barrier each batch
/// waits for its checkpoint, and at prefetch 0 pays the receive latency once. Without one neither is waited for, if the window is at least the degree. For
/// grouped messages the window must be at least twice the events under way.
/// </summary>
internal static class ClosedForms
{
    /// <summary>The result of a form for a run. Null if none applies.</summary>
    /// <param name="settings">The run.</param>
    /// <param name="rule">The rule of its strategy.</param>
    public static Prediction? Of(ModelSettings settings, StrategyRule rule)
    {
        // The forms have a message and a blob.
        if (
            settings.HasWork
            || settings.Writes.Count > 0
            || ConstantTimes.Of(settings.Profile) is not { } times
            || (settings.Partitions > 1 && !AreAlike(settings, times))
        )
        {
            return null;
        }

        var one = rule.Discipline switch
        {
            Discipline.Batch => OfBatches(settings, rule, times),
            Discipline.Pipeline when !rule.FindsDegree => OfPipeline(settings, rule, times),
            Discipline.Groups => OfGroups(settings, rule, times),
            _ => null,
        };
        // If no operation takes any time there is no rate.
        return one is not { Form: var form, EventsPerSecond: var rate } || !double.IsFinite(rate) ? null
            : settings.Partitions > 1 ? new Prediction($"P times {form}", settings.Partitions * rate)
            : one;
    }

    // Whether the partitions share nothing, and have the same number of events.
    private static bool AreAlike(ModelSettings settings, ConstantTimes times) => settings.Keys == 0 && times.Serial <= 0 && times.BlobSerial <= 0;

    private static Prediction? OfBatches(ModelSettings settings, StrategyRule rule, ConstantTimes times)
    {
        if (!settings.Checkpoints.IsAtBatchEnds || settings.Window < settings.Batch || BatchTime(settings, rule, times) is not { } batch)
        {
            return null;
        }

        var every = rule.BatchesPerCheckpoint(settings);
        var (perBatch, reading) = settings.Prefetch == 0 && times.Receive > 0 ? (" + L", times.Receive) : ("", 0);
        return new Prediction(
            $"B / (T + C{(every > 1 ? " / F" : "")}{perBatch}), T = {batch.Form}",
            1_000 * settings.Batch / (batch.Time + (times.Checkpoint / every) + reading)
        );
    }

    private static (string Form, double Time)? BatchTime(ModelSettings settings, StrategyRule rule, ConstantTimes times)
    {
        var (size, degree) = (settings.Batch, rule.GetDegree(settings));
        double full = (size - 1) / degree;
        double rest = (size - 1) % degree;
        return (rule.Bound, rule.SinksConcurrently) switch
        {
            (EventConcurrency.One, false) => ("B (S + b)", size * (times.Send + times.Blob)),
            (EventConcurrency.One, true) => ("B max(S, b)", size * times.Longer),
            (_, false) => (
                "k max(S + b, d s) + (r + 1) s + f + b",
                (full * Math.Max(times.Send + times.Blob, degree * times.Serial)) + ((rest + 1) * times.Serial) + times.Remaining + times.Blob
            ),
            _ when times.Send >= times.Blob => (
                "k max(S, d s) + (r + 1) s + f",
                (full * Math.Max(times.Send, degree * times.Serial)) + ((rest + 1) * times.Serial) + times.Remaining
            ),
            _ when times.Serial <= 0 => ("(k + 1) b", (full + 1) * times.Blob),
            _ => null,
        };
    }

    private static Prediction? OfPipeline(ModelSettings settings, StrategyRule rule, ConstantTimes times)
    {
        // A full window is reduced to its lower mark before anything else is handed over.
        var limits = RunAhead.Of(settings, rule);
        if (limits.Window < 2 * settings.Degree)
        {
            return null;
        }

        var writing = Math.Min(1_000 * settings.Degree / times.Longer, 1_000 / times.Serial);
        var rate = Math.Min(writing, Reading(settings, times));
        return Flows(settings, rule, limits, times, rate) ? new Prediction($"min(min(d, W) / max(S, b), 1 / s{PerBatch(settings, times)})", rate) : null;
    }

    private static Prediction? OfGroups(ModelSettings settings, StrategyRule rule, ConstantTimes times)
    {
        // Grouped messages take the sender's time of one, and operations begin as events arrive: the blobs are the bottleneck.
        var limits = RunAhead.Of(settings, rule);
        var rate = Math.Min(Math.Min(1_000 * settings.Degree / times.Blob, 1_000 / times.BlobSerial), Reading(settings, times));
        return limits.Window >= 2 * settings.Degree && rate <= 500.0 * limits.Window / times.Send && Flows(settings, rule, limits, times, rate)
            ? new Prediction($"min(d / b, 1 / s_b{PerBatch(settings, times)})", rate)
            : null;
    }

    // Whether the replay limit never waits for a checkpoint, which runs concurrently with the writes.
    private static bool Flows(ModelSettings settings, StrategyRule rule, RunAhead limits, ConstantTimes times, double rate) =>
        limits.Replay >= limits.Window + settings.Checkpoints.For(rule.IsBarrier).EventsOrUsual + (2 * rate * times.Checkpoint / 1_000);

    private static double Reading(ModelSettings settings, ConstantTimes times) =>
        settings.Prefetch == 0 ? 1_000.0 * settings.Batch / times.Receive : double.PositiveInfinity;

    private static string PerBatch(ModelSettings settings, ConstantTimes times) => settings.Prefetch == 0 && times.Receive > 0 ? ", B / L" : "";
}
