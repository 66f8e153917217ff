// total: definitions 19, imports 4, calls 20, bindings 18
package org.example.shapes;

import java.util.List;
//               ^ imports: List = java.util List
import static org.example.Checks.notNull;
//                               ^ imports: notNull = org.example.Checks notNull
import org.example.draw.*;
//                 ^ imports: - = org.example.draw *
import static org.example.Colors.*;
//                        ^ imports: - = org.example.Colors *

/**
 * Many shapes.
 *
 * @author nobody
 */
@Deprecated
@Named(value = "shapes")
public abstract class Shapes<T> extends Base<T> implements Shape, Outer.Inner {
//                    ^ definition: class Shapes
//                    ^ doc: Many shapes.
//                    ^ exported: yes
//                    ^ bases: Base<T>, Shape, Outer.Inner
//                    ^ decorators: Deprecated, Named(value = "shapes")
//                    ^ signature: public abstract class Shapes<T> extends Base<T> implements Shape, Outer.Inner
    public static final int MAX = 3, MIN = 1;
//                          ^ definition: constant Shapes.MAX
    private final Canvas canvas = new Canvas(1), other;
//                       ^ declares: canvas Canvas
//                                    ^ new: Canvas in Shapes
//                                               ^ declares: other Canvas

    public Shapes(int count, String... names) {
//         ^ definition: method Shapes.Shapes
//         ^ parameters: count: int, ...names: String
        super(count);
//      ^ calls: super in Shapes.Shapes
        this.other = null;
    }

    /** Draws. */
    @Override
    protected <Q> List<Canvas> draw(final Canvas on, Map<String, ? extends Shape> all) throws Stop {
//                             ^ definition: method Shapes.draw
//                             ^ signature: protected <Q> List<Canvas> draw(final Canvas on, Map<String, ? extends Shape> all)
//                             ^ parameters: on: Canvas, all: Map<String, Shape>
//                             ^ returns: List<Canvas>
//                             ^ exported: no
//                             ^ decorators: Override
//                             ^ doc: Draws.
        var made = Canvas.of(1);
//          ^ binds: made assign Canvas.of(1)
        made.line(2)
            .fold();
//           ^ calls: made.line(2).fold in Shapes.draw
        this.canvas.<Q>cut(on);
        helper(new Pen<>());
//      ^ calls: helper in Shapes.draw
//                 ^ new: Pen in Shapes.draw
        for (Shape one : all.values()) one.area();
//                 ^ declares: one Shape
        try (Sheet sheet = open()) { sheet.close(); } catch (IOException | Stop error) { error.show(); }
//                                                                              ^ declares: error IOException
        Shape cast = (Shape) on;
//            ^ binds: cast assign on as Shape
        if (on instanceof Paper paper) paper.tear();
//                              ^ declares: paper Paper
        Runnable later = () -> super.draw(on, all);
//                                   ^ calls: super.draw in Shapes.draw
        return new Sorter() {
            @Override public int compare(Shape a, Shape b) { return a.area(); }
//                               ^ definition: method Shapes.draw.compare
//                                                                    ^ calls: a.area in Shapes.draw.compare
        }.sorted();
    }

    int draw(int same) { return same; }
//      ^ returns: int

    interface Shape extends Named, Sized {
//            ^ definition: interface Shapes.Shape
//            ^ bases: Named, Sized
        int SIDES = 4;
//          ^ definition: constant Shapes.Shape.SIDES
        double area();
//             ^ definition: method Shapes.Shape.area
        double area(int scale);
        default void show() { area(); }
//                            ^ calls: area in Shapes.Shape.show
    }
    public enum Color implements Named {
//              ^ definition: enum Shapes.Color
//              ^ exported: yes
        RED, GREEN(2) { void paint() {} };
//                           ^ definition: method Shapes.Color.paint
        Color() {}
    }
    record Pair(int left, Canvas right) implements Named {
//         ^ definition: record Shapes.Pair
//                               ^ declares: this.right Canvas
        Pair { notNull(right); }
//             ^ calls: notNull in Shapes.Pair.Pair
    }
    @interface Marked { int value() default 1; }
//             ^ definition: interface Shapes.Marked
}
