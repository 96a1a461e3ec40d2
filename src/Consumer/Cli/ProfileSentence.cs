using System.Globalization;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>A latency profile as one line of help, generated from its laws.</summary>
internal static class ProfileSentence
{
    private static readonly (EmulatedOperation Operation, string Word)[] Words =
    [
        (EmulatedOperation.MessageSend, "message"),
        (EmulatedOperation.MessageSettle, "settlement"),
        (EmulatedOperation.BlobWrite, "blob"),
        (EmulatedOperation.CheckpointWrite, "checkpoint"),
        (EmulatedOperation.EventReceive, "receive"),
    ];

    public static string Of(LatencyProfile profile)
    {
        var laws = Words.Where(word => !profile.Of(word.Operation).IsZero).Select(word => $"{word.Word} {Law(profile.Of(word.Operation))}");
        string[] parts = [.. laws, .. Quota(profile.ServiceBusQuota), .. profile.Steps.Select(Step)];
        return parts.Length == 0 ? "No latency: what this machine can reach" : Capital(string.Join("; ", parts));
    }

    private static string Law(LatencyLaw law)
    {
        var spread = law is { DeviationMilliseconds: > 0, MeanMilliseconds: > 0 } ? Text($" CV {law.DeviationMilliseconds / law.MeanMilliseconds:0.##}") : "";
        string[] parts =
        [
            .. law.SerialMilliseconds > 0 ? new[] { Text($"{law.SerialMilliseconds:0.##} ms serial") } : [],
            .. law.MeanMilliseconds > 0 ? new[] { Text($"{law.MeanMilliseconds:0.##} ms{spread}") } : [],
            .. law.Concurrency > 0 ? new[] { Text($"{law.Concurrency} concurrently") } : [],
            .. law.OperationsPerSecond > 0 ? new[] { Text($"{law.OperationsPerSecond:0} operations/s") } : [],
            .. law.StragglerEvery > 0 ? new[] { Text($"every {law.StragglerEvery:N0}th {law.StragglerMilliseconds:N0} ms more") } : [],
        ];
        return string.Join(" + ", parts);
    }

    private static string[] Quota(RateQuota quota) =>
        quota.OperationsPerSecond > 0 ? [Text($"more than {quota.OperationsPerSecond:N0} messages/s are refused")] : [];

    private static string Step(TimeStep step) => Text($"all times x {step.Factor:0.##} from {step.FromSeconds:0} to {step.ToSeconds:0} s");

    private static string Capital(string text) => char.ToUpperInvariant(text[0]) + text[1..];

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
