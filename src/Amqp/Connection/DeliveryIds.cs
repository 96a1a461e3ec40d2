namespace EventHubThroughput.Amqp;

/// <summary>
/// The delivery-ids of a range, in order, to be enumerated without an object where they are few. A range may name a billion ids: of many only those
/// are there that are under way.
/// </summary>
internal struct DeliveryIds
{
    // Fewer are asked for one by one.
    private const uint Few = 64;

    private readonly uint _first;
    private readonly uint _more;
    private readonly uint[]? _known;
    private long _place = -1;

    /// <param name="first">The first id.</param>
    /// <param name="last">The last one, which may be lower where numbers have begun anew. The first one when null.</param>
    /// <param name="underWay">The ids that are under way.</param>
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
