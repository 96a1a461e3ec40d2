namespace EventHubThroughput.Emulator.Rules;

/// <summary>A piece of an SQL expression.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Written">As it stands in the text. What refusals show.</param>
/// <param name="Content">What it means: a text or a name without its quotation marks.</param>
/// <param name="Line">From 1.</param>
/// <param name="Column">From 1.</param>
internal readonly record struct SqlToken(SqlTokenKind Kind, string Written, string Content, int Line, int Column)
{
    public bool Is(string sign) => Kind == SqlTokenKind.Sign && Written == sign;

    /// <summary>Keywords and functions are written in any case.</summary>
    public bool IsWord(string word) => Kind == SqlTokenKind.Word && Written.Equals(word, StringComparison.OrdinalIgnoreCase);

    public SqlSyntaxException Expected(string what) => new(this, $"expected {what}");
}

internal enum SqlTokenKind
{
    /// <summary>After the last piece.</summary>
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

/// <summary>A text that is no SQL expression of a rule. The message names the place, in the service's own form.</summary>
internal sealed class SqlSyntaxException(SqlToken token, string details)
    : Exception(
        $"There was an error parsing the SQL expression. [Token line={token.Line}, column={token.Column}, Token in error={token.Written}, Additional details={details}]"
    );
