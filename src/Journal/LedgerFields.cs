using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>The fields of one line of a ledger.</summary>
internal struct LedgerFields
{
    private string? _run;
    private string? _hub;
    private string? _key;
    private long? _index;
    private long? _keyIndex;
    private string? _sha256;
    private long? _length;
    private long? _intended;
    private long? _actual;
    private SendOutcome? _outcome;

    /// <summary>Only in the closing line: how many rows stand before it.</summary>
    public long? Rows { get; private set; }

    public static LedgerFields Read(ReadOnlySpan<byte> line)
    {
        var fields = default(LedgerFields);
        var json = new Utf8JsonReader(line);
        if (!json.Read() || json.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException();
        }

        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            var name = json.GetString();
            json.Read();
            fields.Set(name!, ref json);
        }

        json.Read();
        return fields;
    }

    public readonly LedgerRow? ToRow() =>
        _run is { } run && _hub is { } hub && _index is { } index && _keyIndex is { } keyIndex && _sha256 is { } sha256
            && _length is { } length && _intended is { } intended && _actual is { } actual && _outcome is { } outcome
            ? new LedgerRow(run, hub, _key, index, keyIndex, sha256, length, intended, actual, outcome)
            : null;

    private void Set(string name, ref Utf8JsonReader json)
    {
        switch (name)
        {
            case "run": _run = json.GetString(); break;
            case "hub": _hub = json.GetString(); break;
            case "key": _key = json.GetString(); break;
            case "index": _index = json.GetInt64(); break;
            case "keyIndex": _keyIndex = json.GetInt64(); break;
            case "sha256": _sha256 = json.GetString(); break;
            case "length": _length = json.GetInt64(); break;
            case "intended": _intended = json.GetInt64(); break;
            case "actual": _actual = json.GetInt64(); break;
            case "outcome": _outcome = OutcomeText.Parse(json.GetString()); break;
            case "rows": Rows = json.GetInt64(); break;
            default: throw new JsonException();
        }
    }
}
