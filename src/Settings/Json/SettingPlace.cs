namespace EventHubThroughput.Settings.Json;

// The place of a value: outermost, a member by its name, or an item by its index. It becomes text only in a message: the paths of all values of a small
// document can take gigabytes.
internal readonly record struct SettingPlace(SettingValue? Parent, string Name, int Index)
{
    private const int NoItem = -1;

    public static SettingPlace Outermost { get; } = new(null, string.Empty, NoItem);

    public static SettingPlace Member(SettingValue group, string name) => new(group, name, NoItem);

    public static SettingPlace Item(SettingValue list, int index) => new(list, string.Empty, index);

    public override string ToString()
    {
        var path = Parent?.Path ?? string.Empty;
        return Index != NoItem ? $"{path}[{Index}]"
            : path.Length == 0 ? Name
            : $"{path}.{Name}";
    }
}
