using System.Text;
using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>
/// One record in the bytes of the journal's line: fields are parts of it, nothing is copied. The view is used again for the next record, and its spans are
/// valid until then. It is strict: an unknown field or kind means a newer writer, and ignoring it would give a verdict on half of the facts.
/// </summary>
public sealed class RecordView
{
    private const int Fields = (int)RecordField.Stood + 1;

    // The positions of texts and maps in the line. Numbers and flags are values. Texts with escapes are copies.
    private readonly Range[] ranges = new Range[Fields];
    private readonly long[] numbers = new long[Fields];
    private readonly byte[]?[] unescaped = new byte[Fields][];
    private byte[] line = [];
    private long present;
    private long isText;

    /// <summary>The kind of record, which decides the fields that it has.</summary>
    public RecordKind Kind { get; private set; }

    /// <summary>The record's place in the order of all records.</summary>
    public long Tick => numbers[(int)RecordField.Tick];

    /// <summary>The time of the record. 0 in journals of version 1.</summary>
    public long Microseconds => Has(RecordField.Microseconds) ? numbers[(int)RecordField.Microseconds] : 0;

    /// <summary>Whether the record has the field.</summary>
    public bool Has(RecordField field) => (present & (1L << (int)field)) != 0;

    /// <summary>Whether the field is present as a text.</summary>
    public bool HasText(RecordField field) => (isText & (1L << (int)field)) != 0;

    /// <summary>The text of a field in UTF-8. Empty when there is none.</summary>
    public ReadOnlySpan<byte> Text(RecordField field) =>
        !HasText(field) ? default
        : unescaped[(int)field] is { } own ? own
        : line.AsSpan(ranges[(int)field]);

    /// <summary>The number of a field. 0 when there is none.</summary>
    public long Number(RecordField field) => Has(field) && !HasText(field) ? numbers[(int)field] : 0;

    /// <summary>Whether the field is present and true.</summary>
    public bool Flag(RecordField field) => Number(field) != 0;

    /// <summary>The names and values of a map. None when there is no such field.</summary>
    public TextMap Map(RecordField field) => new(Has(field) ? line.AsSpan(ranges[(int)field]) : default);

    /// <summary>
    /// Views of records that are not in a file, with the ticks of the records. The same view is used again for each record, and valid until the next one is
    /// requested.
    /// </summary>
    public static IEnumerable<RecordView> Of(IEnumerable<JournalRecord> records)
    {
        var view = new RecordView();
        var encoder = new RecordEncoder();
        foreach (var record in records)
        {
            encoder.Clear();
            encoder.Add(record);
            byte[] json = [.. Encoding.ASCII.GetBytes($"{{\"t\":{record.Tick},\"m\":{record.Microseconds}"), .. encoder[0]];
            view.Read(json, ..json.Length);
            yield return view;
        }
    }

    /// <summary>Reads the line's object.</summary>
    /// <exception cref="JournalFormatException">Not a record. The message gives the reason without the content.</exception>
    internal void Read(byte[] buffer, Range range)
    {
        line = buffer;
        present = isText = 0;
        try
        {
            Scan(buffer.AsSpan(range), range.Start.Value);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            throw new JournalFormatException("not readable", exception);
        }

        Need(RecordField.Kind, "k");
        Kind = RecordNames.GetKind(Text(RecordField.Kind)) ?? throw new JournalFormatException("unknown kind of record");
        RequiredFields.Check(this);
    }

    internal void Need(RecordField field, string name)
    {
        if (!Has(field))
        {
            throw new JournalFormatException($"field '{name}' missing");
        }
    }

    private void Scan(ReadOnlySpan<byte> json, int start)
    {
        var scanner = new JsonScanner(json);
        scanner.Expect((byte)'{');
        for (var isFirst = true; scanner.More(ref isFirst); )
        {
            var field = RecordNames.GetField(scanner.Text()) ?? throw new JsonException();
            scanner.Expect((byte)':');
            present |= 1L << (int)field;
            ReadValue(ref scanner, json, start, field);
        }

        if (!scanner.AtEnd)
        {
            throw new JsonException();
        }
    }

    private void ReadValue(ref JsonScanner scanner, ReadOnlySpan<byte> json, int start, RecordField field)
    {
        switch (field)
        {
            case RecordField.Tick
            or RecordField.Microseconds
            or RecordField.Length
            or RecordField.Count
            or RecordField.OwnerLevel
            or RecordField.Arrival
            or RecordField.Stood:
                numbers[(int)field] = scanner.Number();
                break;
            // A number if the emulator assigned it, text if a client stored it.
            case RecordField.Sequence when scanner.Next != (byte)'"':
                numbers[(int)field] = scanner.Number();
                isText &= ~(1L << (int)field);
                break;
            case RecordField.Deduplicated or RecordField.Overwrote or RecordField.Restated:
                numbers[(int)field] = scanner.Flag() ? 1 : 0;
                break;
            case RecordField.Properties or RecordField.Metadata:
                var map = scanner.Map();
                ranges[(int)field] = (start + scanner.Position - map.Length)..(start + scanner.Position);
                break;
            default:
                KeepText(scanner.Text(), json, start, field);
                break;
        }
    }

    private void KeepText(ReadOnlySpan<byte> text, ReadOnlySpan<byte> json, int start, RecordField field)
    {
        isText |= 1L << (int)field;
        if (json.Overlaps(text, out var offset))
        {
            ranges[(int)field] = (start + offset)..(start + offset + text.Length);
            unescaped[(int)field] = null;
        }
        else
        {
            // Empty texts overlap nothing and need no position.
            unescaped[(int)field] = text.ToArray();
        }
    }
}
