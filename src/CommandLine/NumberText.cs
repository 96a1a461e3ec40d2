namespace EventHubThroughput.CommandLine;

/// <summary>Numbers as they were written, in messages that refuse them.</summary>
public static class NumberText
{
    /// <summary>The most characters of a number that are shown.</summary>
    public const int MostShown = 20;

    private const string Rest = "...";

    /// <summary>The number, or its beginning.</summary>
    public static string Shown(string number) => number.Length > MostShown ? number[..(MostShown - Rest.Length)] + Rest : number;

    /// <summary>A value where a number is wanted, quoted: shortened as a number where it begins like one, else as any text.</summary>
    public static string Quote(string value) =>
        value.Length > MostShown && (char.IsAsciiDigit(value[0]) || value[0] is '+' or '-' or '.') ? $"'{Shown(value)}'" : SecretMask.Quote(value);
}
