namespace EventHubThroughput.Consumer.Measurement;

/// <summary>A closed form's prediction for one partition.</summary>
internal sealed record Prediction(string Form, double EventsPerSecond);

/// <summary>
/// The closed forms for profile "article": a FIFO sender that serves sends one after another, constant means and full batches. With a
/// barrier the checkpoint is awaited at the end of each batch, and the receive latency paid once a batch at prefetch 0; without one
/// neither is waited for, as long as the window holds the degree, and for messages that are collected twice what is under way.
/// </summary>
internal static class ArticleModel
{
    // Milliseconds: serial time of a send, its remaining latency, an upload and its serial time, a checkpoint, receiving a batch.
    private const double Serial = 3.32;
    private const double Remaining = 14.88;
    private const double Blob = 9.33;
    private const double BlobSerial = 0.65;
    private const double Checkpoint = 24.7;
    private const double Receive = 8;
    private const double Send = Serial + Remaining;

    /// <summary>What nothing on this profile exceeds: one send after another.</summary>
    public const double SenderLimit = 1000 / Serial;

    /// <summary>Whether the form of a strategy is one without a barrier.</summary>
    public static bool GoesOn(string strategy) => strategy is "pipelined" or "batched";

    /// <summary>The rate of a strategy; null for one without a closed form.</summary>
    public static Prediction? Predict(string strategy, int batch, int degree, int prefetch, int window = int.MaxValue)
    {
        var reading = prefetch == 0 ? 1000.0 * batch / Receive : double.PositiveInfinity;
        var perBatch = prefetch == 0 ? ", B / L" : "";
        if (strategy == "pipelined")
        {
            var writing = Math.Min(1000 * Math.Min(degree, window) / Math.Max(Send, Blob), SenderLimit);
            return new Prediction($"min(min(d, W) / max(S, b), 1 / s{perBatch})", Math.Min(writing, reading));
        }

        if (strategy == "batched")
        {
            // Messages that go together take the sender's time of one, and operations begin as events come: the blobs are what is waited for.
            var rate = Math.Min(Math.Min(1000 * degree / Blob, 1000 / BlobSerial), reading);
            return rate <= 500.0 * window / Send ? new Prediction($"min(d / b, 1 / s_b{perBatch})", rate) : null;
        }

        double full = (batch - 1) / degree;
        double rest = (batch - 1) % degree;
        var pause = Checkpoint + (prefetch == 0 ? Receive : 0);
        (string Form, double Time)? batchTime = strategy switch
        {
            "baseline" => ("B (S + b)", batch * (Send + Blob)),
            "inloop" => ("B max(S, b)", batch * Math.Max(Send, Blob)),
            "outloop" => ("k max(S + b, d s) + (r + 1) s + f + b", (full * Math.Max(Send + Blob, degree * Serial)) + ((rest + 1) * Serial) + Remaining + Blob),
            "combined" or "foreachasync" => ("k max(S, d s) + (r + 1) s + f", (full * Math.Max(Send, degree * Serial)) + ((rest + 1) * Serial) + Remaining),
            _ => null,
        };
        return batchTime is { } found
            ? new Prediction($"B / (T + C{(prefetch == 0 ? " + L" : "")}), T = {found.Form}", 1000 * batch / (found.Time + pause))
            : null;
    }
}
