namespace EventHubThroughput.Emulator.Rules;

/// <summary>A token of an SQL expression.</summary>
/// <param name="Kind">The kind of token.</param>
/// <param name="Written">The original text, for refusals.</param>
/// <param name="Content">The meaning: a text or a name without its quotation marks.</param>
/// <param name="Line">From 1.</param>
/// <param name="Column">From 1.</param>
internal readonly record struct SqlToken(SqlTokenKind Kind, string Written, string Content, int Line, int Column)
{
    public bool Is(string sign) => Kind == SqlTokenKind.Sign && Written == sign;

    /// <summary>Keywords and functions ignore case.</summary>
    public bool IsWord(string word) => Kind == SqlTokenKind.Word && Written.Equals(word, StringComparison.OrdinalIgnoreCase);

    public SqlSyntaxException Expected(string what) => new(this, $"expected {what}");
}

internal enum SqlTokenKind
{
    /// <summary>After the last token.</summary>
    End,

    /// <summary>A keyword or a name without quotation marks.</summary>
    Word,

    /// <summary>A name in <c>[…]</c> or <c>"…"</c>.</summary>
    Name,

    Text,
    Integer,
    Decimal,
    Parameter,
    Sign,
}

/// <summary>A text is not a valid SQL expression. The message names the place, in the format of the service.</summary>
internal sealed class SqlSyntaxException(SqlToken token, string details)
    : Exception(
        $"There was an error parsing the SQL expression. [Token line={token.Line}, column={token.Column}, Token in error={token.Written}, Additional details={details}]"
    );
