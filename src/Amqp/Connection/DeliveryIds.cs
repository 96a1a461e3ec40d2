namespace EventHubThroughput.Amqp;

/// <summary>
/// The delivery-ids of a range, in order. Few ids are enumerated without an allocation. A range may name a billion ids: of a long range only the unsettled
/// ones are returned.
/// </summary>
internal struct DeliveryIds
{
    // Fewer are looked up one by one.
    private const uint Few = 64;

    private readonly uint _first;
    private readonly uint _more;
    private readonly uint[]? _known;
    private long _place = -1;

    /// <param name="first">The first id.</param>
    /// <param name="last">The last id, which may be lower than the first after the numbers have wrapped. The first one when null.</param>
    /// <param name="underWay">The ids of unsettled deliveries.</param>
    public DeliveryIds(uint first, uint? last, IReadOnlyCollection<uint> underWay)
    {
        _first = first;
        _more = unchecked((last ?? first) - first);
        _known = _more < Few ? null : KnownFrom(first, _more, underWay);
    }

    public readonly uint Current => _known is null ? unchecked(_first + (uint)_place) : _known[_place];

    public readonly DeliveryIds GetEnumerator() => this;

    public bool MoveNext() => ++_place < (_known is null ? _more + 1L : _known.Length);

    private static uint[] KnownFrom(uint first, uint more, IReadOnlyCollection<uint> underWay) =>
        [.. underWay.Where(id => unchecked(id - first) <= more).OrderBy(id => unchecked(id - first))];
}
