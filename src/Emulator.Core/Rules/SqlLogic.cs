namespace EventHubThroughput.Emulator.Rules;

/// <summary>Combines conditions. Unknown means that either value is possible. If the result is the same for both, it is known.</summary>
internal static class SqlLogic
{
    public static SqlCondition And(SqlCondition left, SqlCondition right) =>
        message =>
            left(message) switch
            {
                false => false,
                true => right(message),
                null => right(message) == false ? false : null,
            };

    public static SqlCondition Or(SqlCondition left, SqlCondition right) =>
        message =>
            left(message) switch
            {
                true => true,
                false => right(message),
                null => right(message) == true ? true : null,
            };

    public static SqlCondition Not(SqlCondition condition) => message => !condition(message);

    public static SqlCondition IsIn(SqlValue value, IReadOnlyList<SqlValue> list) =>
        message =>
        {
            var sought = value(message);
            bool? found = false;
            foreach (var item in list)
            {
                var other = item(message);
                message.Budget.SpendOnComparing(sought, other);
                switch (SqlComparison.AreEqual(sought, other))
                {
                    case true:
                        return true;
                    case null:
                        found = null;
                        break;
                }
            }

            return found;
        };
}
