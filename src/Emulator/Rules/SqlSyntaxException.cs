namespace EventHubThroughput.Emulator.Rules;

/// <summary>A text that is no SQL expression of a rule; the message names the place, in the service's own form.</summary>
internal sealed class SqlSyntaxException(SqlToken token, string details)
    : Exception(
        $"There was an error parsing the SQL expression. [Token line={token.Line}, column={token.Column}, Token in error={token.Written}, Additional details={details}]"
    );
