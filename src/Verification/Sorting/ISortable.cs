namespace EventHubThroughput.Verification.Sorting;

/// <summary>Something of fixed size that has a place in an order. Equal ones keep the order in which they were added.</summary>
internal interface ISortable
{
    UInt128 Order { get; }
}
