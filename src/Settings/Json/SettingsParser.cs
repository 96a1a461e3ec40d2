using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace EventHubThroughput.Settings.Json;

// Parses JSON to values with line and path. The allowed nesting limits the recursion.
internal ref struct SettingsParser
{
    private readonly SettingsDocument _document;
    private readonly ReadOnlySpan<byte> _json;
    private Utf8JsonReader _reader;
    private int _counted;
    private int _line = 1;

    private SettingsParser(SettingsDocument document, ReadOnlySpan<byte> json)
    {
        _document = document;
        _json = json;
        _reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = SettingsDocument.LargestNesting + 1 });
    }

    public static SettingValue Parse(SettingsDocument document, ReadOnlySpan<byte> json)
    {
        json = json.StartsWith(Encoding.UTF8.Preamble) ? json[Encoding.UTF8.Preamble.Length..] : json;
        var parser = new SettingsParser(document, json);
        if (!Utf8.IsValid(json))
        {
            throw parser.Refuse(1, "not valid UTF-8");
        }

        try
        {
            parser._reader.Read();
            var root = parser.Value(SettingPlace.Outermost) ?? throw parser.Refuse(1, "not an object");
            parser._reader.Read();
            return root;
        }
        catch (JsonException exception)
        {
            var isOver = string.IsNullOrWhiteSpace(Encoding.UTF8.GetString(json[(int)parser._reader.BytesConsumed..]));
            throw parser.Refuse(
                (int)(exception.LineNumber ?? 0) + 1,
                "not valid JSON: " + (isOver ? "unexpected end" : $"error at column {(exception.BytePositionInLine ?? 0) + 1}")
            );
        }
    }

    // The value at the reader's position. Null for null.
    private SettingValue? Value(SettingPlace place)
    {
        var line = Line();
        switch (_reader.TokenType)
        {
            case JsonTokenType.Null:
                return null;
            case JsonTokenType.True or JsonTokenType.False:
                return new SettingValue(_document, place, line, SettingKind.Flag, _reader.TokenType == JsonTokenType.True ? "true" : "false");
            case JsonTokenType.Number:
                return new SettingValue(_document, place, line, SettingKind.Number, Encoding.UTF8.GetString(_reader.ValueSpan));
            case JsonTokenType.String:
                return new SettingValue(_document, place, line, SettingKind.Text, Text());
            default:
                if (_reader.CurrentDepth >= SettingsDocument.LargestNesting)
                {
                    throw Refuse(line, $"nested deeper than {SettingsDocument.LargestNesting}");
                }

                return _reader.TokenType == JsonTokenType.StartArray ? List(place, line) : Group(place, line);
        }
    }

    private SettingValue List(SettingPlace place, int line)
    {
        var list = new SettingValue(_document, place, line, SettingKind.List);
        for (var index = 0; _reader.Read() && _reader.TokenType != JsonTokenType.EndArray; index++)
        {
            var at = SettingPlace.Item(list, index);
            var itsLine = Line();
            if (Value(at) is { } item)
            {
                list.Items.Add(item);
            }
            else
            {
                _document.Add(itsLine, () => $"'{at}': null");
            }
        }

        return list;
    }

    private SettingValue Group(SettingPlace place, int line)
    {
        var group = new SettingValue(_document, place, line, SettingKind.Group);
        while (_reader.Read() && _reader.TokenType != JsonTokenType.EndObject)
        {
            var name = Text();
            if (name.Length > SettingsDocument.LargestName)
            {
                throw Refuse(Line(), $"a name is longer than {SettingsDocument.LargestName} characters");
            }

            _reader.Read();
            if (Value(SettingPlace.Member(group, name)) is { } value)
            {
                group.Add(name, value);
            }
        }

        return group;
    }

    private string Text()
    {
        try
        {
            return _reader.GetString()!;
        }
        catch (InvalidOperationException)
        {
            throw Refuse(Line(), "not valid JSON: half of a surrogate pair");
        }
    }

    private int Line()
    {
        var start = (int)_reader.TokenStartIndex;
        _line += _json[_counted..start].Count((byte)'\n');
        _counted = start;
        return _line;
    }

    private readonly UsageException Refuse(int line, string problem) => new(_document.Locate(line, problem));
}
