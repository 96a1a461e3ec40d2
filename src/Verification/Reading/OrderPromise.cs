namespace EventHubThroughput.Verification;

/// <summary>What order the strategy of a run promised. Only what was promised can be broken.</summary>
public enum OrderPromise
{
    None,
    Key,
    Partition,
}
