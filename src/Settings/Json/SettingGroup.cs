namespace EventHubThroughput.Settings.Json;

/// <summary>The members of an object. Each read makes a name known. Members with unknown names are problems.</summary>
public sealed class SettingGroup
{
    private readonly SettingsDocument _document;
    private readonly SettingValue _value;
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);

    internal SettingGroup(SettingsDocument document, SettingValue value)
    {
        _document = document;
        _value = value;
    }

    public int Line => _value.Line;

    /// <summary>The path in messages. Empty for the outermost group.</summary>
    public string Path => _value.Path;

    /// <summary>The names of the members, for groups with free names.</summary>
    public IReadOnlyCollection<string> Names => _value.Members.Keys;

    /// <summary>A member, or null when it is missing.</summary>
    public SettingValue? Find(string name)
    {
        _known.Add(name);
        return _value.Members.GetValueOrDefault(name);
    }

    /// <summary>A required member.</summary>
    public SettingValue? Require(string name)
    {
        var found = Find(name);
        if (found is null)
        {
            _document.Add(Line, () => $"'{SettingPlace.Member(_value, name)}': missing");
        }

        return found;
    }

    /// <summary>Adds a problem of the group as a whole: <c>'path': problem</c>.</summary>
    public void Refuse(string problem) => _value.Refuse(problem);

    public int Integer(string name, int instead, int min, int max) => Find(name)?.Integer(min, max) ?? instead;

    public long Long(string name, long instead, long min, long max) => Find(name)?.Long(min, max) ?? instead;

    public double Number(string name, double instead, double min, double max) => Find(name)?.Number(min, max) ?? instead;

    public bool Flag(string name, bool instead = false) => Find(name)?.Flag() ?? instead;

    public TimeSpan Duration(string name, TimeSpan instead, TimeSpan min, TimeSpan max) => Find(name)?.Duration(min, max) ?? instead;

    public string Text(string name, string instead) => Find(name)?.Text() ?? instead;

    public string Choice(string name, string instead, IReadOnlyList<string> known) => Find(name)?.Choice(known) ?? instead;

    /// <summary>A list of texts. Items that are not texts are left out and reported as problems.</summary>
    public IReadOnlyList<string> Texts(string name, IReadOnlyList<string> instead) =>
        Find(name)?.List()?.Select(static item => item.Text()).OfType<string>().ToList() ?? instead;

    /// <summary>A list of objects. Empty when it is missing.</summary>
    public IReadOnlyList<SettingGroup> Groups(string name) => Find(name)?.List()?.Select(static item => item.Group()).OfType<SettingGroup>().ToList() ?? [];

    /// <summary>An object with other members at the same place, for a reader of other names. Members that are null are left out.</summary>
    public SettingValue With(params IReadOnlyCollection<(string Name, SettingValue? Value)> members) => _value.With(members);

    /// <summary>A text at the same place.</summary>
    public SettingValue With(string text) => _value.With(text);

    internal IEnumerable<SettingValue> Unread => _value.Members.Where(member => !_known.Contains(member.Key)).Select(static member => member.Value);

    internal string GetProblem(SettingValue unread)
    {
        var advice =
            Suggestion.Nearest(unread.Name, _known) is { } nearest ? $", did you mean '{nearest}'?"
            : _known.Count == 0 ? string.Empty
            : $". Known: {string.Join(", ", _known.Order(StringComparer.Ordinal))}";
        return $"{unread.Quoted}: unknown{advice}";
    }
}
