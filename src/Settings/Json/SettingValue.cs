using System.Globalization;
using System.Numerics;

namespace EventHubThroughput.Settings.Json;

/// <summary>One value of a settings document. Each read returns null when the value is of another kind. The problem is then added to the document.</summary>
public sealed class SettingValue
{
    private const int MostShown = 256;
    private const int LongestPath = 160;
    private const int MostDigits = 40;

    private readonly SettingsDocument _document;
    private readonly SettingPlace _place;
    private readonly string _text;
    private List<SettingValue>? _items;
    private Dictionary<string, SettingValue>? _members;

    internal SettingValue(SettingsDocument document, SettingPlace place, int line, SettingKind kind, string text = "")
    {
        _document = document;
        _place = place;
        Line = line;
        Kind = kind;
        _text = text;
    }

    public SettingKind Kind { get; }

    /// <summary>The path in messages, such as <c>hubs[0].partitions</c>.</summary>
    public string Path => _place.ToString();

    /// <summary>The line, from 1. 0 in a query.</summary>
    public int Line { get; }

    // Created on demand: most values have neither.
    internal List<SettingValue> Items => _items ??= [];

    internal Dictionary<string, SettingValue> Members => _members ??= new Dictionary<string, SettingValue>(StringComparer.Ordinal);

    // A value of a query has no fixed type.
    internal bool IsLoose { get; init; }

    /// <summary>Adds a problem of the value: <c>'path' value: problem</c>.</summary>
    public void Refuse(string problem) => _document.Add(Line, () => Path.Length == 0 ? problem : $"{Described}: {problem}");

    /// <summary>The number if it is written as a whole number that a long can hold. Otherwise null, without a problem.</summary>
    public long? Whole =>
        Is(SettingKind.Number) && long.TryParse(_text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var whole) ? whole : null;

    public int? Integer(int min, int max) => (int?)Long(min, max);

    public long? Long(long min, long max)
    {
        var allowed = $"allowed {min} to {max}";
        // A number with this many digits is out of range, and parsing all of them would take a long time.
        if (Is(SettingKind.Number) && _text.Length > MostDigits && _text.AsSpan().TrimStart('-').ContainsAnyExceptInRange('0', '9') is false)
        {
            return Refuse<long>(allowed);
        }

        if (!Is(SettingKind.Number) || !BigInteger.TryParse(_text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
        {
            return Refuse<long>($"not a whole number, {allowed}");
        }

        return number < min || number > max ? Refuse<long>(allowed) : (long)number;
    }

    public double? Number(double min, double max)
    {
        var allowed = $"allowed {NumberText.Format(min)} to {NumberText.Format(max)}";
        if (!Is(SettingKind.Number) || !double.TryParse(_text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number))
        {
            return Refuse<double>($"not a number, {allowed}");
        }

        // Also refuses NaN, which compares with nothing.
        return number >= min && number <= max ? number : Refuse<double>(allowed);
    }

    public bool? Flag() =>
        (Is(SettingKind.Flag), _text) switch
        {
            (true, "true") => true,
            (true, "false") => false,
            _ => Refuse<bool>("allowed true and false"),
        };

    /// <summary>A duration with its unit: <c>"10s"</c>.</summary>
    public TimeSpan? Duration(TimeSpan min, TimeSpan max)
    {
        var allowed = $"allowed {DurationText.Format(min)} to {DurationText.Format(max)}";
        if (Kind != SettingKind.Text)
        {
            return Refuse<TimeSpan>(
                Kind == SettingKind.Number
                    ? $"missing unit, write \"{NumberText.Shown(_text)}s\" or \"{NumberText.Shown(_text)}ms\""
                    : $"not a duration, {allowed}"
            );
        }

        if (!DurationText.TryParse(_text, out var duration, out var problem))
        {
            return Refuse<TimeSpan>(problem);
        }

        return duration < min || duration > max ? Refuse<TimeSpan>(allowed) : duration;
    }

    /// <summary>Bytes: a whole number, or with a unit as in <c>"64KiB"</c>.</summary>
    public long? Size(long min, long max)
    {
        var allowed = $"allowed {SizeText.Format(min)} to {SizeText.Format(max)}";
        if (Kind is not (SettingKind.Text or SettingKind.Number) || !SizeText.TryParse(_text, out var bytes))
        {
            return Refuse<long>($"not a size, write 65536, \"64KiB\" or \"1MiB\", {allowed}");
        }

        return bytes < min || bytes > max ? Refuse<long>(allowed) : bytes;
    }

    /// <summary>Any text that is not blank.</summary>
    public string? Text()
    {
        if (Kind == SettingKind.Text && !string.IsNullOrWhiteSpace(_text))
        {
            return _text;
        }

        Refuse(Kind == SettingKind.Text ? "blank" : "not a text");
        return null;
    }

    public string? Choice(IReadOnlyCollection<string> known)
    {
        if (Kind == SettingKind.Text && known.Contains(_text, StringComparer.Ordinal))
        {
            return _text;
        }

        var advice = Kind == SettingKind.Text && Suggestion.Nearest(_text, known) is { } nearest ? $", did you mean '{nearest}'? Known: " : ". Known: ";
        Refuse($"unknown{advice}{string.Join(", ", known)}");
        return null;
    }

    /// <summary>The values of a list. In a query they are separated by commas.</summary>
    public IReadOnlyList<SettingValue>? List()
    {
        if (Kind == SettingKind.List)
        {
            return Items;
        }

        if (IsLoose)
        {
            return
            [
                .. _text
                    .Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
                    .Select(part => new SettingValue(_document, _place, Line, SettingKind.Text, part) { IsLoose = true }),
            ];
        }

        Refuse("not a list");
        return null;
    }

    public SettingGroup? Group()
    {
        if (Kind == SettingKind.Group)
        {
            var group = new SettingGroup(_document, this);
            _document.Add(group);
            return group;
        }

        Refuse("not an object");
        return null;
    }

    /// <summary>Another text at the same place, for a reader of another form.</summary>
    public SettingValue With(string text) => new(_document, _place, Line, SettingKind.Text, text);

    /// <summary>A list at the same place.</summary>
    public SettingValue With(IReadOnlyCollection<SettingValue> items)
    {
        var list = new SettingValue(_document, _place, Line, SettingKind.List);
        list.Items.AddRange(items);
        return list;
    }

    /// <summary>An object at the same place. Members that are null are left out.</summary>
    public SettingValue With(IReadOnlyCollection<(string Name, SettingValue? Value)> members)
    {
        var group = new SettingValue(_document, _place, Line, SettingKind.Group);
        foreach (var (name, value) in members)
        {
            if (value is not null)
            {
                group.Members[name] = value;
            }
        }

        return group;
    }

    /// <summary>The number in a text that contains one.</summary>
    public SettingValue AsNumber() => new(_document, _place, Line, SettingKind.Number, _text);

    /// <summary>Whether it is a text without letters.</summary>
    public bool IsEmpty => _text.Length == 0;

    internal void Add(string name, SettingValue value)
    {
        if (!Members.TryAdd(name, value))
        {
            _document.Add(value.Line, () => $"{value.Quoted}: given twice");
        }
    }

    internal string Name => _place.Name;

    // A path names the wrong value, and is useless without its end.
    internal string Quoted => SecretMask.Quote(Path, LongestPath);

    private string Shown => _text.Length > MostShown ? _text[..MostShown] + "…" : _text;

    private string Described =>
        Kind switch
        {
            SettingKind.Number or SettingKind.Flag => $"{Quoted} {NumberText.Shown(_text)}",
            SettingKind.Text => $"{Quoted} {SecretMask.Quote(Shown)}",
            _ => Quoted,
        };

    private bool Is(SettingKind kind) => Kind == kind || IsLoose;

    private T? Refuse<T>(string problem)
        where T : struct
    {
        Refuse(problem);
        return null;
    }
}
