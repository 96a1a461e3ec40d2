namespace EventHubThroughput.Model.Predicting;

/// <summary>
/// The closed forms of docs/method.md, exact for constant latencies, full batches and a sender that serves sends one after another. With a barrier the checkpoint is
/// awaited at the end of each batch, and the receive latency paid once a batch at prefetch 0. Without one neither is waited for, as long as the window
/// holds the degree, and for messages that are collected twice what is under way.
/// </summary>
internal static class ClosedForms
{
    /// <summary>What a form says of a run. Null where none holds.</summary>
    /// <param name="settings">The run.</param>
    /// <param name="rule">The rule of its strategy.</param>
    public static Prediction? Of(ModelSettings settings, StrategyRule rule)
    {
        if (settings.HasWork || ConstantTimes.Of(settings.Profile) is not { } times || (settings.Partitions > 1 && !AreAlike(settings, times)))
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
        // Where nothing takes any time there is no rate.
        return one is not { Form: var form, EventsPerSecond: var rate } || !double.IsFinite(rate) ? null
            : settings.Partitions > 1 ? new Prediction($"P times {form}", settings.Partitions * rate)
            : one;
    }

    // Partitions that share nothing, and have as many events each.
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
        var (size, degree) = (settings.Batch, rule.DegreeOf(settings));
        double full = (size - 1) / degree;
        double rest = (size - 1) % degree;
        return (rule.Bound, rule.SinksAtOnce) switch
        {
            (EventsAtOnce.One, false) => ("B (S + b)", size * (times.Send + times.Blob)),
            (EventsAtOnce.One, true) => ("B max(S, b)", size * times.Longer),
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
        // A full window is worked off to its lower mark before anything else is handed over.
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
        // Messages that go together take the sender's time of one, and operations begin as events come: the blobs are what is waited for.
        var limits = RunAhead.Of(settings, rule);
        var rate = Math.Min(Math.Min(1_000 * settings.Degree / times.Blob, 1_000 / times.BlobSerial), Reading(settings, times));
        return limits.Window >= 2 * settings.Degree && rate <= 500.0 * limits.Window / times.Send && Flows(settings, rule, limits, times, rate)
            ? new Prediction($"min(d / b, 1 / s_b{PerBatch(settings, times)})", rate)
            : null;
    }

    // Whether the replay limit never waits for a checkpoint, which goes on beside the writes.
    private static bool Flows(ModelSettings settings, StrategyRule rule, RunAhead limits, ConstantTimes times, double rate) =>
        limits.Replay >= limits.Window + settings.Checkpoints.For(rule.IsBarrier).EventsOrUsual + (2 * rate * times.Checkpoint / 1_000);

    private static double Reading(ModelSettings settings, ConstantTimes times) =>
        settings.Prefetch == 0 ? 1_000.0 * settings.Batch / times.Receive : double.PositiveInfinity;

    private static string PerBatch(ModelSettings settings, ConstantTimes times) => settings.Prefetch == 0 && times.Receive > 0 ? ", B / L" : "";
}
