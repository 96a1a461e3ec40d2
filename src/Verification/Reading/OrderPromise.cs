namespace EventHubThroughput.Verification;

/// <summary>The order that the strategy of a run promised. Only a promised order can be broken.</summary>
public enum OrderPromise
{
    None,
    Key,
    Partition,
}
