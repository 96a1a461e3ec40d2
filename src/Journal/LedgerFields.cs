using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>The fields of one line of a ledger.</summary>
internal struct LedgerFields
{
    private string? run;
    private string? hub;
    private string? key;
    private long? index;
    private long? keyIndex;
    private string? sha256;
    private long? length;
    private long? intended;
    private long? actual;
    private SendOutcome? outcome;

    /// <summary>Only in the closing line: the number of rows before it.</summary>
    public long? Rows { get; private set; }

    public static LedgerFields Read(ReadOnlySpan<byte> line)
    {
        var fields = default(LedgerFields);
        var json = new Utf8JsonReader(line);
        json.Read();
        if (json.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException();
        }

        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            var name = json.GetString();
            json.Read();
            fields.Set(name!, ref json);
        }

        // Refuses text after the object.
        json.Read();
        return fields;
    }

    public readonly LedgerRow? ToRow() =>
        this.run is { } run
        && this.hub is { } hub
        && this.index is { } index
        && this.keyIndex is { } keyIndex
        && this.sha256 is { } sha256
        && this.length is { } length
        && this.intended is { } intended
        && this.actual is { } actual
        && this.outcome is { } outcome
            ? new LedgerRow(run, hub, key, index, keyIndex, sha256, length, intended, actual, outcome)
            : null;

    private void Set(string name, ref Utf8JsonReader json)
    {
        switch (name)
        {
            case "run":
                run = json.GetString();
                break;
            case "hub":
                hub = json.GetString();
                break;
            case "key":
                key = json.GetString();
                break;
            case "index":
                index = json.GetInt64();
                break;
            case "keyIndex":
                keyIndex = json.GetInt64();
                break;
            case "sha256":
                sha256 = json.GetString();
                break;
            case "length":
                length = json.GetInt64();
                break;
            case "intended":
                intended = json.GetInt64();
                break;
            case "actual":
                actual = json.GetInt64();
                break;
            case "outcome":
                outcome = OutcomeText.Parse(json.GetString());
                break;
            case "rows":
                Rows = json.GetInt64();
                break;
            default:
                throw new JsonException();
        }
    }
}
