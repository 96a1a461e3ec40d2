using System.Text.Json.Serialization;
using EventHubThroughput.Lab.Measurement;

namespace EventHubThroughput.Lab.Results;

/// <summary>What may have limited the rate, and whether the rate may be quoted.</summary>
internal sealed record BoundDetails
{
    /// <summary>The emulator's own rate on this machine, in events a second. Null where it was not measured.</summary>
    public int? EmulatorCeilingEventsPerS { get; init; }

    /// <summary>What other than the strategy limited the rate.</summary>
    public required RateBound Bound { get; init; }

    /// <summary>Whether there is a rate, and whether it is a rate of the requested profile.</summary>
    public required MeasurementStatus Status { get; init; }
}

/// <summary>Whether a rate was measured under the requested conditions.</summary>
internal enum MeasurementStatus
{
    /// <summary>It was.</summary>
    Ok,

    /// <summary>
    /// The run ended within its warm-up. Or it was measured by the clock, and its rate still changed or scattered more than its own times explain.
    /// </summary>
    [JsonStringEnumMemberName("not-settled")]
    NotSettled,

    /// <summary>The emulator was slower or quicker than the profile.</summary>
    [JsonStringEnumMemberName("profile-missed")]
    ProfileMissed,
}
