namespace EventHubThroughput.Repository.Tests.Style;

/// <summary>What a piece of text is, as far as the rules differ.</summary>
internal enum ProseKind
{
    Paragraph,
    Cell,
    Comment,
    Literal,
    TestName,
}

/// <summary>A piece of text that people read. Code in it is replaced by <see cref="Code"/>.</summary>
/// <param name="File">The path from the root of the repository, with slashes.</param>
/// <param name="Line">The line that it begins at, from 1.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Text">The text, in one line.</param>
internal sealed record Prose(string File, int Line, ProseKind Kind, string Text)
{
    /// <summary>The word that replaces code.</summary>
    public const string Code = "Code";

    /// <summary>The part of the repository that it is counted in.</summary>
    public string Area =>
        (Kind, File.Split('/')) switch
        {
            (ProseKind.TestName, _) => "test names",
            (ProseKind.Literal, _) => "output",
            (ProseKind.Comment, ["src", ..]) => "comments of src",
            (ProseKind.Comment, _) => "other comments",
            (_, ["docs", "results" or "decisions", ..] path) => $"docs/{path[1]}",
            (_, ["docs", ..]) => "docs",
            (_, [var root]) => root,
            _ => "package pages",
        };
}
